"""Makes every model of Lantern Keep out of nothing: blender --background --python make_models.py

Writes glTF binaries to ../assets/models. Names after `--` make only those:

    blender --background --python make_models.py -- hero shade

Everything here is in the game's space: metres, x to the right, y up, -z ahead. Surfaces are flat and take their colour
from the corners of their faces, so a model is one mesh with at most two materials: `paint`, and `glow` that shines.
"""

import math
import random
import sys
from pathlib import Path

import bmesh
import bpy
from mathutils import Euler, Matrix, Vector, noise

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "models"
PAINT, GLOW = 0, 1
FRAMES = 24  # a second

STONE = "#8d86a3"
DARK_STONE = "#635b78"
MOSS = "#66794f"
GRASS = "#5f7d45"
EARTH = "#6a4f42"
CLIFF = "#5d5369"
WOOD = "#8a6444"
DARK_WOOD = "#5a4033"
IRON = "#3b3746"
STEEL = "#b9bccb"
BRASS = "#c8964a"
CLOTH = "#4a5cb0"
DARK_CLOTH = "#34417f"
SKIN = "#e8b48c"
SCARF = "#d8603f"
FIRE = "#ffb347"


# --- Building --------------------------------------------------------------------------------------------------------


def linear(text, factor=1.0):
    """A `#rrggbb` colour as linear light."""

    def channel(value):
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return tuple(channel(int(text[at : at + 2], 16) / 255) * factor for at in (1, 3, 5))


class Sculpture:
    """Faces with a colour at each corner, a material and a bone."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.faces = []

    def add(self, corners, color, material=PAINT, bone="", vary=0.08):
        """A flat face, counter-clockwise from outside. `bone` is a name, or a function from place to {name: weight}."""
        factor = 1 + self.random.uniform(-vary, vary)
        self.faces.append(([Vector(c) for c in corners], linear(color, factor), material, bone))

    def join(self, other, matrix=Matrix.Identity(4)):
        """Takes over the faces of another sculpture."""
        for corners, color, material, bone in other.faces:
            self.faces.append(([matrix @ corner for corner in corners], color, material, bone))

    def prism(self, rings, color, material=PAINT, bone="", vary=0.08, caps=(True, True)):
        """Closed rings of equally many places, joined in order from the lowest up."""
        count = len(rings[0])
        for low, high in zip(rings, rings[1:]):
            for at in range(count):
                after = (at + 1) % count
                self.add([low[after], low[at], high[at], high[after]], color, material, bone, vary)
        if caps[0]:
            self.add(rings[0], color, material, bone, vary)
        if caps[1]:
            self.add(list(reversed(rings[-1])), color, material, bone, vary)

    def lathe(self, profile, color, sides=8, at=(0, 0, 0), material=PAINT, bone="", vary=0.08, turn=0.5, wobble=0.0,
              caps=(True, True)):
        """A profile of (radius, height) turned about the y axis. A radius of 0 makes a point."""
        rings = []
        for radius, height in profile:
            ring = []
            for side in range(sides):
                angle = (side + turn) / sides * math.tau
                far = max(radius, 0.001) * (1 + self.random.uniform(-wobble, wobble))
                ring.append(Vector(at) + Vector((math.cos(angle) * far, height, math.sin(angle) * far)))
            rings.append(ring)
        self.prism(rings, color, material, bone, vary, caps)

    def box(self, center, size, color, bevel=0.03, material=PAINT, bone="", vary=0.08, turn=(0, 0, 0), taper=1.0,
            jitter=0.0):
        """A box whose upper and lower edges are cut off, narrowed to `taper` at the top."""
        place = Matrix.Translation(center) @ Euler([math.radians(t) for t in turn]).to_matrix().to_4x4()
        x, y, z = (s / 2 for s in size)
        bevel = min(bevel, x * 0.8, y * 0.8, z * 0.8)
        rings = []
        for height, inset, wide in ((-y, bevel, 1), (-y + bevel, 0, 1), (y - bevel, 0, taper), (y, bevel, taper)):
            ring = []
            for sx, sz in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
                # The cut corner keeps the box from looking like one.
                ax, az = x * wide - inset, z * wide - inset
                ring.append((sx, sz, ax, az, height))
            places = []
            for sx, sz, ax, az, height in ring:
                shift = Vector([self.random.uniform(-jitter, jitter) for _ in range(3)])
                places.append(place @ (Vector((sx * ax, height, sz * az)) + shift))
            rings.append(places)
        self.prism(rings, color, material, bone, vary)

    def blob(self, center, size, color, detail=2, rough=0.12, material=PAINT, bone="", vary=0.06, frequency=1.5):
        """A lumpy ball."""
        mesh = bmesh.new()
        bmesh.ops.create_icosphere(mesh, subdivisions=detail, radius=1)
        offset = Vector([self.random.uniform(-50, 50) for _ in range(3)])
        for vertex in mesh.verts:
            vertex.co *= 1 + rough * noise.noise(vertex.co * frequency + offset)
        for face in mesh.faces:
            corners = [Vector(center) + Vector([c * s for c, s in zip(v.co, size)]) for v in face.verts]
            self.add(corners, color, material, bone, vary)
        mesh.free()

    def shade(self, low, high, dark=0.55):
        """Darkens towards the ground, as light that reaches less far down would."""
        self.ramp = (low, high, dark)

    def depth(self, place):
        low, high, dark = getattr(self, "ramp", (0, 1, 1))
        part = min(max((place.y - low) / (high - low), 0), 1)
        return dark + (1 - dark) * part

    def drop(self, hidden):
        """Takes away the faces whose direction `hidden` names: those that nobody can see."""
        self.faces = [face for face in self.faces
                      if not hidden((face[0][1] - face[0][0]).cross(face[0][2] - face[0][0]).normalized())]

    def tint(self, color, share, where):
        """Mixes another colour into upward faces that `where` allows."""
        other = linear(color)
        for number, (corners, own, material, bone) in enumerate(self.faces):
            normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized()
            if material == PAINT and where(sum(corners, Vector()) / len(corners), normal):
                mixed = tuple(a + (b - a) * share * self.random.uniform(0.7, 1) for a, b in zip(own, other))
                self.faces[number] = (corners, mixed, material, bone)


def to_blender(place):
    return Vector((place[0], -place[2], place[1]))


def material(name, glow=None, strength=1.0, roughness=0.85, metallic=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.use_backface_culling = True
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Metallic"].default_value = metallic
    surface.inputs["Base Color"].default_value = (1, 1, 1, 1)
    if glow:
        surface.inputs["Emission"].default_value = (*linear(glow), 1)
        surface.inputs["Emission Strength"].default_value = strength
    return made


def build(name, sculpture, materials, armature=None):
    """Makes one object out of a sculpture."""
    # Every corner is a vertex of its own: surfaces are flat, and Blender 3.4 mixes up colours that belong to corners.
    vertices, faces, colors, bones = [], [], [], []
    for corners, color, _, bone in sculpture.faces:
        faces.append(range(len(vertices), len(vertices) + len(corners)))
        for corner in corners:
            vertices.append(to_blender(corner))
            bones.append(bone(corner) if callable(bone) else {bone: 1.0} if bone else {})
            shade = sculpture.depth(corner)
            colors.extend((*(min(channel * shade, 1) for channel in color), 1))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    for one in materials:
        mesh.materials.append(one)
    mesh.polygons.foreach_set("material_index", [m for _, _, m, _ in sculpture.faces])
    layer = mesh.color_attributes.new("Color", "BYTE_COLOR", "POINT")
    layer.data.foreach_set("color", colors)
    if mesh.validate(verbose=True, clean_customdata=False):
        raise SystemExit(f"{name} has faces that are none")
    made = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(made)
    if armature:
        for number, weights in enumerate(bones):
            for bone, weight in weights.items():
                group = made.vertex_groups.get(bone) or made.vertex_groups.new(name=bone)
                group.add([number], weight, "REPLACE")
        made.parent = armature
        made.modifiers.new("Armature", "ARMATURE").object = armature
    return made


def skeleton(name, bones):
    """An armature out of {name: (head, tail, parent)}. All bones have the roll that keeps the game's axes."""
    data = bpy.data.armatures.new(name)
    made = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (head, tail, parent) in bones.items():
        edit = data.edit_bones.new(bone)
        edit.head, edit.tail = to_blender(head), to_blender(tail)
        if parent:
            edit.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return made


def clip(target, name, seconds, keys, bones=True):
    """An action out of {bone: {"turn": f, "move": f, "scale": f}}, each a function of the part (0 to 1) of the clip.

    Turns are degrees about the game's x, y and z; moves are metres along them.
    """
    action = bpy.data.actions.new(name)
    target.animation_data_create().action = action
    frames = max(round(seconds * FRAMES), 1)
    every = 2
    for frame in [*range(0, frames, every), frames]:
        part = frame / frames
        for bone, channels in keys.items():
            posed = target.pose.bones[bone] if bones else target
            # The rest axes of the bone, to say a turn of the world in the bone's own terms.
            rest = target.data.bones[bone].matrix_local.to_3x3() if bones else Matrix.Identity(3)
            if "turn" in channels:
                x, y, z = (math.radians(angle) for angle in channels["turn"](part))
                world = Euler((x, -z, y), "XYZ").to_matrix()
                posed.rotation_mode = "QUATERNION"
                posed.rotation_quaternion = (rest.inverted() @ world @ rest).to_quaternion()
                posed.keyframe_insert("rotation_quaternion", frame=frame)
            if "move" in channels:
                posed.location = rest.inverted() @ to_blender(channels["move"](part))
                posed.keyframe_insert("location", frame=frame)
            if "scale" in channels:
                x, y, z = channels["scale"](part)
                posed.scale = (x, z, y)
                posed.keyframe_insert("scale", frame=frame)
    track = target.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(name, 0, action)
    track.mute = True
    target.animation_data.action = None
    if bones:
        for posed in target.pose.bones:
            posed.matrix_basis = Matrix.Identity(4)


def wave(part, size=1.0, shift=0.0):
    return math.sin((part + shift) * math.tau) * size


# --- Models ----------------------------------------------------------------------------------------------------------


def hero():
    """The keeper: 1.25 m, a coat with a hood and a scarf, a lantern in the right hand. The origin is 0.65 m up."""
    bones = {
        "root": ((0, -0.65, 0), (0, -0.45, 0), None),
        "hips": ((0, -0.25, 0), (0, -0.05, 0), "root"),
        "spine": ((0, -0.05, 0), (0, 0.2, 0), "hips"),
        "head": ((0, 0.22, 0), (0, 0.5, 0), "spine"),
        "arm_l": ((-0.17, 0.12, 0), (-0.28, -0.14, 0), "spine"),
        "arm_r": ((0.17, 0.12, 0), (0.28, -0.14, 0), "spine"),
        "lantern": ((0.29, -0.16, -0.03), (0.29, -0.36, -0.03), "arm_r"),
        "leg_l": ((-0.09, -0.28, 0), (-0.09, -0.6, 0), "hips"),
        "leg_r": ((0.09, -0.28, 0), (0.09, -0.6, 0), "hips"),
    }
    rig = skeleton("Keeper", bones)
    body = Sculpture(3)

    def hem(place):
        """The coat's hem follows the legs a little."""
        low = min(max((-0.1 - place.y) / 0.3, 0), 1)
        side = min(max(place.x / 0.2 * 0.5 + 0.5, 0), 1)
        up = min(max((place.y + 0.05) / 0.15, 0), 1) * (1 - low)
        rest = 1 - low * 0.45
        return {"leg_r": low * 0.45 * side, "leg_l": low * 0.45 * (1 - side), "spine": rest * up,
                "hips": rest * (1 - up)}

    body.lathe([(0.285, -0.44), (0.25, -0.3), (0.2, -0.1), (0.185, 0.05), (0.17, 0.16), (0.08, 0.22)], CLOTH, 10,
               bone=hem, vary=0.06)
    body.lathe([(0.2, -0.13), (0.213, -0.11), (0.213, -0.07), (0.2, -0.05)], DARK_WOOD, 10, bone="hips")
    body.box((0, -0.09, -0.205), (0.07, 0.07, 0.03), BRASS, 0.01, bone="hips")
    body.lathe([(0.14, 0.14), (0.185, 0.17), (0.17, 0.23), (0.11, 0.26)], SCARF, 9, bone="spine", wobble=0.05)
    body.box((0.09, 0.02, 0.19), (0.1, 0.34, 0.03), SCARF, 0.01, bone="spine", turn=(-14, 0, 6))
    body.blob((0, 0.36, -0.02), (0.155, 0.16, 0.15), SKIN, 2, 0.0, bone="head", vary=0.02)
    # The hood: a ball open in front, drawn to a tip behind.
    hood = Sculpture(5)
    rings = []
    for step in range(6):
        part = step / 5
        angle = part * math.pi * 0.62
        radius = 0.2 * math.sin(max(angle, 0.05) * 0.9 + 0.35)
        rings.append([
            Vector((math.cos(a) * radius, 0.37 + math.sin(a) * radius * 1.02 + part * 0.05, -0.13 + part * 0.3))
            for a in (side / 9 * math.tau for side in range(9))
        ])
    for near, far in zip(rings, rings[1:]):
        for at in range(9):
            after = (at + 1) % 9
            hood.add([near[at], near[after], far[after], far[at]], DARK_CLOTH, bone="head", vary=0.06)
            hood.add([n * 0.97 + Vector((0, 0.011, 0)) for n in (near[after], near[at], far[at], far[after])], "#1d2347",
                     bone="head")
    tip = Vector((0, 0.46, 0.36))
    for at in range(9):
        hood.add([rings[-1][at], rings[-1][(at + 1) % 9], tip], DARK_CLOTH, bone="head")
    body.join(hood)
    for side in (-1, 1):
        body.box((side * 0.062, 0.375, -0.163), (0.034, 0.062, 0.02), "#1a1626", 0.006, bone="head", vary=0)
        arm = "arm_r" if side > 0 else "arm_l"
        angles = [k / 7 * math.tau for k in range(7)]
        body.prism([
            [Vector((side * (0.15 + out) + math.cos(a) * r, 0.15 - down + math.sin(a) * r * 0.5, math.sin(a) * r))
             for a in angles]
            for out, down, r in ((0.12, 0.26, 0.085), (0.07, 0.14, 0.068), (0.0, 0.0, 0.06))
        ], CLOTH, bone=arm, vary=0.06)
        body.blob((side * 0.285, -0.15, -0.01), (0.055, 0.06, 0.055), SKIN, 1, 0.0, bone=arm, vary=0.02)
        leg = "leg_r" if side > 0 else "leg_l"
        body.lathe([(0.065, -0.58), (0.07, -0.42), (0.08, -0.28)], DARK_CLOTH, 7, at=(side * 0.1, 0, 0), bone=leg)
        body.box((side * 0.1, -0.59, -0.035), (0.14, 0.12, 0.24), DARK_WOOD, 0.04, bone=leg)
    # The lantern.
    hand = (0.29, 0, -0.03)
    body.lathe([(0.012, -0.24), (0.012, -0.16)], IRON, 5, at=hand, bone="lantern")
    body.lathe([(0.085, -0.25), (0.02, -0.2)], IRON, 6, at=hand, bone="lantern")
    body.lathe([(0.06, -0.4), (0.072, -0.33), (0.06, -0.255)], FIRE, 6, at=hand, bone="lantern", material=GLOW, vary=0)
    body.lathe([(0.075, -0.43), (0.08, -0.395)], IRON, 6, at=hand, bone="lantern")
    body.shade(-0.65, 0.2, 0.62)
    build("Keeper body", body, [material("paint"), material("glow", FIRE, 5)], rig)

    def idle_breath(part):
        return (0, wave(part, 0.008), 0)

    clip(rig, "idle", 2, {
        "spine": {"turn": lambda p: (wave(p, 1.5), 0, 0), "move": idle_breath},
        "head": {"turn": lambda p: (wave(p, 1.5, 0.2), wave(p, 6, 0.1), 0)},
        "arm_l": {"turn": lambda p: (0, 0, -4 + wave(p, 2))},
        "arm_r": {"turn": lambda p: (18, 0, 4 - wave(p, 2))},
        "lantern": {"turn": lambda p: (-18 + wave(p, 3), 0, -4)},
    })
    clip(rig, "run", 0.5, {
        "hips": {"move": lambda p: (0, abs(wave(p, 0.06)) - 0.03, 0), "turn": lambda p: (-10, wave(p, 6), 0)},
        "spine": {"turn": lambda p: (-6, -wave(p, 10), 0)},
        "head": {"turn": lambda p: (10, wave(p, 5), 0)},
        "leg_l": {"turn": lambda p: (wave(p, 46), 0, 0)},
        "leg_r": {"turn": lambda p: (-wave(p, 46), 0, 0)},
        "arm_l": {"turn": lambda p: (-wave(p, 44), 0, -8)},
        "arm_r": {"turn": lambda p: (30 + wave(p, 16), 0, 8)},
        "lantern": {"turn": lambda p: (-12 + wave(p, 18, 0.15), 0, -8)},
    })
    clip(rig, "jump", 0.4, {
        "hips": {"turn": lambda p: (-4, 0, 0), "scale": lambda p: (1, 1 + 0.1 * math.sin(p * math.pi), 1)},
        "head": {"turn": lambda p: (14, 0, 0)},
        "leg_l": {"turn": lambda p: (34 * min(p * 3, 1), 0, 0)},
        "leg_r": {"turn": lambda p: (-24 * min(p * 3, 1), 0, 0)},
        "arm_l": {"turn": lambda p: (20, 0, -95 * min(p * 3, 1))},
        "arm_r": {"turn": lambda p: (60 * min(p * 3, 1), 0, 30)},
        "lantern": {"turn": lambda p: (-40 * min(p * 3, 1), 0, -20)},
    })
    clip(rig, "fall", 0.5, {
        "hips": {"turn": lambda p: (6, 0, 0)},
        "head": {"turn": lambda p: (-12, 0, 0)},
        "leg_l": {"turn": lambda p: (16 + wave(p, 8), 0, 0)},
        "leg_r": {"turn": lambda p: (-12 - wave(p, 8), 0, 0)},
        "arm_l": {"turn": lambda p: (0, 0, -100 + wave(p, 14))},
        "arm_r": {"turn": lambda p: (20, 0, 70 - wave(p, 14))},
        "lantern": {"turn": lambda p: (-10, 0, -60)},
    })
    clip(rig, "cheer", 0.8, {
        "hips": {"move": lambda p: (0, abs(wave(p, 0.12)), 0)},
        "head": {"turn": lambda p: (16, wave(p, 8), 0)},
        "arm_l": {"turn": lambda p: (0, 0, -140 + wave(p, 16))},
        "arm_r": {"turn": lambda p: (0, 0, 140 - wave(p, 16))},
        "lantern": {"turn": lambda p: (0, 0, -130)},
        "leg_l": {"turn": lambda p: (wave(p, 14), 0, -6)},
        "leg_r": {"turn": lambda p: (-wave(p, 14), 0, 6)},
    })


def shade():
    """A shade: a hood of darkness with two eyes and a ragged hem. The origin is at its middle."""
    bones = {
        "root": ((0, 0, 0), (0, 0.2, 0), None),
        "head": ((0, 0.15, 0), (0, 0.4, 0), "root"),
        "tail": ((0, -0.1, 0), (0, -0.5, 0), "root"),
        "arm_l": ((-0.3, 0.08, 0), (-0.55, -0.1, -0.1), "root"),
        "arm_r": ((0.3, 0.08, 0), (0.55, -0.1, -0.1), "root"),
    }
    rig = skeleton("Shade", bones)
    body = Sculpture(11)

    def bend(place):
        low = min(max((0.0 - place.y) / 0.45, 0), 1)
        high = min(max((place.y - 0.1) / 0.15, 0), 1)
        return {"tail": low, "head": high, "root": max(1 - low - high, 0)}

    profile = [(0.06, 0.58), (0.22, 0.5), (0.33, 0.32), (0.36, 0.1), (0.39, -0.12), (0.44, -0.34)]
    sides = 12
    rings = []
    for radius, height in reversed(profile):
        rings.append([Vector((math.cos(s / sides * math.tau) * radius, height, math.sin(s / sides * math.tau) * radius))
                      for s in range(sides)])
    body.prism(rings, "#37295c", bone=bend, vary=0.1, caps=(False, True))
    for side in range(sides):
        after = (side + 1) % sides
        low, next_low = rings[0][side], rings[0][after]
        tip = (low + next_low) * 0.52 + Vector((0, -0.16 - (side % 3) * 0.07, 0))
        tip.y = -0.34 - 0.16 - (side % 3) * 0.07
        body.add([next_low, tip, low], "#2a1f49", bone=bend)
        body.add([low, tip, next_low], "#150f2a", bone=bend)
    # The face: a dark hollow.
    body.blob((0, 0.22, -0.2), (0.2, 0.2, 0.16), "#0b0716", 2, 0.0, bone="head", vary=0)
    for side in (-1, 1):
        body.blob((side * 0.095, 0.25, -0.335), (0.05, 0.066, 0.03), "#cfa8ff", 1, 0, GLOW, "head", 0)
        arm = "arm_r" if side > 0 else "arm_l"
        body.blob((side * 0.43, -0.03, -0.08), (0.13, 0.09, 0.1), "#37295c", 1, 0.1, bone=arm)
        for finger in range(3):
            at = (side * (0.47 + finger * 0.03), -0.09, -0.16 + finger * 0.06)
            body.lathe([(0.005, -0.13), (0.03, 0.03)], "#241a40", 4, at=at, bone=arm)
    body.shade(-0.6, 0.3, 0.45)
    build("Shade body", body, [material("paint", roughness=0.6), material("glow", "#b080ff", 6)], rig)
    clip(rig, "drift", 2, {
        "head": {"turn": lambda p: (wave(p, 4), wave(p, 10, 0.3), 0)},
        "tail": {"turn": lambda p: (-10 + wave(p, 10), 0, wave(p, 8, 0.25)),
                 "scale": lambda p: (1 + wave(p, 0.04), 1, 1 + wave(p, 0.04))},
        "arm_l": {"turn": lambda p: (0, 0, wave(p, 14))},
        "arm_r": {"turn": lambda p: (0, 0, -wave(p, 14))},
    })
    clip(rig, "hunt", 0.8, {
        "root": {"turn": lambda p: (-16, wave(p, 5), 0)},
        "head": {"turn": lambda p: (10, 0, wave(p, 6))},
        "tail": {"turn": lambda p: (-34 + wave(p, 8), 0, wave(p, 14))},
        "arm_l": {"turn": lambda p: (70 + wave(p, 18), 0, -20)},
        "arm_r": {"turn": lambda p: (70 - wave(p, 18), 0, 20)},
    })


def teardrop(sculpture, scale, color, material, bone, sides=7):
    profile = [(0.02, -0.3), (0.16, -0.22), (0.23, -0.06), (0.2, 0.08), (0.12, 0.24), (0.0, 0.46)]
    sculpture.lathe([(r * scale, h * scale) for r, h in profile], color, sides, material=material, bone=bone, vary=0.03,
                    wobble=0.06)


def flame():
    """A flame to gather, 0.76 m high, with two that dance beside it."""
    bones = {
        "core": ((0, -0.25, 0), (0, 0, 0), None),
        "left": ((-0.1, -0.25, 0), (-0.1, -0.1, 0), "core"),
        "right": ((0.1, -0.25, 0), (0.1, -0.1, 0), "core"),
    }
    rig = skeleton("Flame", bones)
    fire = Sculpture(21)
    teardrop(fire, 1, "#ffab3d", GLOW, "core")
    for bone, x, z, size in (("left", -0.15, 0.05, 0.55), ("right", 0.14, -0.06, 0.48)):
        part = Sculpture(22)
        teardrop(part, size, "#ff7a28", GLOW, bone, 6)
        fire.join(part, Matrix.Translation((x, -0.12, z)))
    build("Flame body", fire, [material("paint"), material("glow", "#ff9a3c", 4)], rig)
    clip(rig, "flicker", 1, {
        "core": {"scale": lambda p: (1 - wave(p, 0.05), 1 + wave(p, 0.12), 1 - wave(p, 0.05)),
                 "turn": lambda p: (wave(p, 4), 0, wave(p, 5, 0.25))},
        "left": {"scale": lambda p: (1, 1 + wave(p, 0.3, 0.4), 1), "turn": lambda p: (0, 0, wave(p, 9))},
        "right": {"scale": lambda p: (1, 1 - wave(p, 0.3, 0.3), 1), "turn": lambda p: (wave(p, 9, 0.5), 0, 0)},
    })


def lamp():
    """A post with an iron arm, 2 m to the top, the origin in the middle. Its glass is a model of its own."""
    post = Sculpture(31)
    post.lathe([(0.2, -1), (0.2, -0.92), (0.12, -0.86)], DARK_STONE, 8)
    post.lathe([(0.075, -0.88), (0.055, -0.5), (0.05, 0.9)], IRON, 7)
    for height in (-0.5, 0.2, 0.82):
        post.lathe([(0.07, height - 0.03), (0.085, height), (0.07, height + 0.03)], IRON, 7)
    post.lathe([(0.06, 0.9), (0.17, 0.96), (0.17, 1.0), (0.1, 1.02)], IRON, 6)
    for side in range(6):
        angle = side / 6 * math.tau
        post.box((math.cos(angle) * 0.155, 1.2, math.sin(angle) * 0.155), (0.022, 0.4, 0.022), IRON, 0.004,
                 turn=(0, -math.degrees(angle), 0))
    post.lathe([(0.2, 1.38), (0.23, 1.4), (0.1, 1.54), (0.03, 1.58), (0.03, 1.64), (0.0, 1.7)], IRON, 6)
    post.shade(-1, 0.2, 0.6)
    build("Lamp", post, [material("paint", roughness=0.55, metallic=0.3)])


def lamp_glass():
    """What shines in a lamp, the origin in its middle."""
    glass = Sculpture(32)
    glass.lathe([(0.1, -0.18), (0.13, 0), (0.1, 0.18)], "#ffd59a", 6, material=GLOW, vary=0)
    build("Lamp glass", glass, [material("paint"), material("glow", FIRE, 6)])


def rough_stone(sculpture, center, size, color, jitter=0.02, bevel=0.05):
    shades = [color, color, color, "#837a94", "#968fae", "#7b7390"]
    sculpture.box(center, size, sculpture.random.choice(shades), bevel, jitter=jitter, vary=0.1)


def masonry(sculpture, width, height, depth, ragged=True, stone=0.62, course=0.4):
    """Courses of stones along x, from the ground of the box up; the top course of a ruin has gaps."""
    rows = max(round(height / course), 1)
    tall = height / rows
    for row in range(rows):
        left = -width / 2
        first = stone * (0.5 if row % 2 else 1)
        while left < width / 2 - 0.05:
            long = min(first * sculpture.random.uniform(0.85, 1.15), width / 2 - left)
            first = stone
            if width / 2 - left - long < 0.2:
                long = width / 2 - left
            middle = left + long / 2
            left += long
            if ragged and row == rows - 1 and sculpture.random.random() < 0.4:
                continue
            deep = depth * sculpture.random.uniform(0.94, 1.04)
            rough_stone(sculpture, (middle, -height / 2 + (row + 0.5) * tall, 0), (long - 0.012, tall - 0.012, deep),
                        STONE)


def wall(length, seed, along_z=True):
    """A ruined wall, 2.4 m high and 0.6 m thick."""
    stones = Sculpture(seed)
    masonry(stones, length, 2.4, 0.6)
    stones.box((0, 1.0, 0), (length - 0.04, 0.1, 0.5), DARK_STONE, 0.0)
    stones.box((0, -0.1, 0), (length - 0.06, 2.1, 0.5), DARK_STONE, 0.0)
    stones.tint(MOSS, 0.6, lambda at, up: up.y > 0.5 and stones.random.random() < 0.6)
    stones.tint(MOSS, 0.5, lambda at, up: at.y < -0.8 and stones.random.random() < 0.5)
    stones.shade(-1.2, 0.6, 0.5)
    made = Sculpture()
    made.ramp = stones.ramp
    made.join(stones, Matrix.Rotation(math.radians(90), 4, "Y") if along_z else Matrix.Identity(4))
    build("Wall", made, [material("paint")])


def tower():
    """The keep: 4 m wide, 3.8 m high, with a door ahead and battlements on three sides above."""
    keep = Sculpture(41)
    keep.box((0, 0, 0), (3.86, 3.78, 3.86), DARK_STONE, 0.0)
    for side in range(4):
        part = Sculpture(42 + side)
        masonry(part, 3.9, 3.8, 0.16, ragged=False, stone=0.86, course=0.475)
        part.drop(lambda way: way.z < -0.5)
        keep.join(part, Matrix.Rotation(side * math.pi / 2, 4, "Y") @ Matrix.Translation((0, 0, 1.92)))
    for x in (-1, 1):
        for z in (-1, 1):
            keep.lathe([(0.42, -1.9), (0.36, -1.6), (0.33, 1.7), (0.4, 1.85), (0.4, 1.92)], STONE, 8,
                       at=(x * 1.86, 0, z * 1.86))
    # The floor on top, level with the collider.
    floor = Sculpture(47)
    for x in range(-2, 3):
        for z in range(-2, 3):
            rough_stone(floor, (x * 0.76, 1.86, z * 0.76), (0.74, 0.08, 0.74), STONE, 0.004, 0.02)
    floor.drop(lambda way: way.y < 0.1)
    keep.join(floor)
    for side, (x, z) in enumerate(((0, -1.86), (1.86, 0), (0, 1.86))):
        for along in (-1.2, -0.4, 0.4, 1.2):
            if side == 2 and abs(along) > 2:
                continue
            at = (x + (along if z else 0), 2.1, z + (along if x else 0))
            rough_stone(keep, at, (0.44, 0.42, 0.44), STONE, 0.01)
    # A door with an arch, a window over it that shines, and two banners.
    keep.box((0, -1.2, 2.0), (1.0, 1.4, 0.12), DARK_WOOD, 0.02)
    for plank in range(4):
        keep.box((-0.36 + plank * 0.24, -1.22, 2.06), (0.22, 1.34, 0.05), WOOD, 0.02)
    for height in (-1.6, -0.85):
        keep.box((0, height, 2.1), (0.94, 0.09, 0.03), IRON, 0.01)
    for step in range(9):
        angle = math.pi * step / 8
        rough_stone(keep, (math.cos(angle) * 0.66, -0.55 + math.sin(angle) * 0.6, 2.02), (0.26, 0.26, 0.24), STONE)
    for side in (-1, 1):
        for height in (-1.75, -1.35, -0.95):
            rough_stone(keep, (side * 0.64, height, 2.02), (0.24, 0.38, 0.22), STONE)
        keep.box((side * 1.25, 0.35, 2.06), (0.62, 0.08, 0.08), DARK_WOOD, 0.01)
        for row in range(5):
            keep.box((side * 1.25, 0.22 - row * 0.26, 2.05), (0.5, 0.26, 0.03), SCARF if row % 2 else "#b84a34", 0.005)
        keep.add([(side * 1.25 - 0.25, -0.95, 2.065), (side * 1.25, -1.2, 2.065), (side * 1.25 + 0.25, -0.95, 2.065)],
                 SCARF)
    keep.box((0, 0.62, 2.0), (0.46, 0.7, 0.1), FIRE, 0.02, GLOW, vary=0)
    for bar in (-0.12, 0.12):
        keep.box((bar, 0.62, 2.07), (0.04, 0.7, 0.04), IRON, 0.0)
    keep.box((0, 0.62, 2.07), (0.46, 0.04, 0.04), IRON, 0.0)
    for side in (-1, 1):
        rough_stone(keep, (side * 0.32, 0.62, 2.03), (0.16, 0.82, 0.16), STONE)
    rough_stone(keep, (0, 1.06, 2.03), (0.8, 0.16, 0.2), STONE)
    rough_stone(keep, (0, 0.2, 2.04), (0.84, 0.14, 0.24), STONE)
    keep.tint(MOSS, 0.55, lambda at, up: at.y < -1.2 and abs(at.x) > 0.9 and keep.random.random() < 0.4)
    keep.shade(-1.9, 0.8, 0.55)
    build("Keep", keep, [material("paint"), material("glow", FIRE, 2.5)])


def island():
    """The ground: 26 m square and level at the top, 0.5 m over the origin, with a ragged edge and a cliff below."""
    ground = Sculpture(51)
    cells = 26
    half = 13.0

    def place(column, row):
        """A place of the grid: inside moved about a little, at the edge drawn out over the collider's."""
        x, z = -half + column, -half + row
        if 0 < column < cells and 0 < row < cells:
            return Vector((x + ground.random.uniform(-0.3, 0.3), 0.5, z + ground.random.uniform(-0.3, 0.3)))
        out = 0.1 + 0.45 * (noise.noise(Vector((x * 0.5, z * 0.5, 3))) * 0.5 + 0.5)
        return Vector((x + math.copysign(out, x) * (abs(x) == half), 0.5, z + math.copysign(out, z) * (abs(z) == half)))

    def turf(*corners):
        """Grass between two greens; worn to earth on the way to the courtyard."""
        middle = sum(corners, Vector()) / 3
        wild = noise.noise(Vector((middle.x * 0.25, middle.z * 0.25, 0)))
        light, dark = Vector(linear("#76944b")), Vector(linear("#4c6a3c"))
        color = light.lerp(dark, min(max(0.5 + wild * 1.4, 0), 1))
        way = abs(middle.x - math.sin(middle.z * 0.6) * 0.5) + 0.5 * noise.noise(middle * 0.9)
        if middle.z > 2.5 and way < 0.85:
            color = color.lerp(Vector(linear("#85745c")), 0.6)
        ground.faces.append((list(corners), tuple(color * ground.random.uniform(0.95, 1.05)), PAINT, ""))

    grid = [[place(column, row) for column in range(cells + 1)] for row in range(cells + 1)]
    for row in range(cells):
        for column in range(cells):
            a, b = grid[row][column], grid[row][column + 1]
            c, d = grid[row + 1][column + 1], grid[row + 1][column]
            if ground.random.random() < 0.5:
                turf(a, d, c)
                turf(a, c, b)
            else:
                turf(a, d, b)
                turf(b, d, c)
    # Down from the edge: turf, earth, rock.
    rim = ([grid[0][c] for c in range(cells)] + [grid[r][cells] for r in range(cells)]
           + [grid[cells][cells - c] for c in range(cells)] + [grid[cells - r][0] for r in range(cells)])
    rings = [rim]
    for drop, shrink in ((0.35, 1.01), (0.9, 0.97), (2.2, 0.9), (4.2, 0.74), (6.5, 0.5), (8.5, 0.2)):
        ring = []
        for number, place in enumerate(rim):
            wild = noise.noise(Vector((place.x * 0.3, drop * 0.8, place.z * 0.3))) * (0.05 + drop * 0.05)
            far = shrink + wild * 0.35
            ring.append(Vector((place.x * far, 0.5 - drop - abs(wild) * drop * 0.8, place.z * far)))
        rings.append(ring)
    colors = ["#557240", EARTH, "#5f4b48", CLIFF, CLIFF, "#4c4358"]
    for (high, low), color in zip(zip(rings, rings[1:]), colors):
        count = len(rim)
        for at in range(count):
            after = (at + 1) % count
            ground.add([low[at], low[after], high[after]], color, vary=0.14)
            ground.add([low[at], high[after], high[at]], color, vary=0.14)
    ground.add(list(reversed(rings[-1])), CLIFF)
    ground.shade(-8, 0.3, 0.35)
    build("Island", ground, [material("paint", roughness=0.95)])


def courtyard():
    """Flagstones, 10 m square, level 0.05 m over the origin."""
    floor = Sculpture(61)
    floor.box((0, -0.03, 0), (9.9, 0.1, 9.9), "#4d4a52", 0.0)
    z = -5.0
    while z < 5 - 0.05:
        deep = min(floor.random.uniform(0.75, 1.1), 5 - z)
        if 5 - z - deep < 0.4:
            deep = 5 - z
        x = -5.0
        while x < 5 - 0.05:
            wide = min(floor.random.uniform(0.8, 1.5), 5 - x)
            if 5 - x - wide < 0.5:
                wide = 5 - x
            rough_stone(floor, (x + wide / 2, 0, z + deep / 2), (wide - 0.06, 0.1, deep - 0.06), STONE, 0.0, 0.03)
            x += wide
        z += deep
    floor.drop(lambda way: way.y < -0.1)
    floor.tint(MOSS, 0.5, lambda at, up: max(abs(at.x), abs(at.z)) > 3.9 and floor.random.random() < 0.4)
    build("Courtyard", floor, [material("paint", roughness=0.9)])


def slab(width, deep, seed):
    """A stone platform that floats, 0.4 m thick."""
    stones = Sculpture(seed)
    across = max(round(width / 0.7), 1)
    along = max(round(deep / 0.7), 1)
    for column in range(across):
        for row in range(along):
            at = (-width / 2 + (column + 0.5) * width / across, 0.1, -deep / 2 + (row + 0.5) * deep / along)
            rough_stone(stones, at, (width / across - 0.02, 0.2, deep / along - 0.02), STONE, 0.0, 0.03)
    stones.drop(lambda way: way.y < -0.1)
    sides = 9
    rings = []
    for factor, height in ((0.12, -0.95), (0.5, -0.6), (0.85, -0.2), (0.96, 0.05)):
        ring = []
        for side in range(sides):
            angle = (side + 0.5) / sides * math.tau
            box = 1 / max(abs(math.cos(angle)), abs(math.sin(angle)))
            far = factor * min(box, 1.25) * stones.random.uniform(0.88, 1.0)
            ring.append(Vector((math.cos(angle) * far * width / 2, height + stones.random.uniform(-0.05, 0.05) * 1.5,
                                math.sin(angle) * far * deep / 2)))
        rings.append(ring)
    stones.prism(rings, CLIFF, vary=0.12)
    stones.tint(MOSS, 0.55, lambda at, up: up.y > 0.6 and stones.random.random() < 0.35)
    stones.shade(-0.9, 0.1, 0.45)
    build("Slab", stones, [material("paint")])


def tree(seed, height):
    """A pine, the origin at its foot."""
    pine = Sculpture(seed)
    pine.lathe([(0.24, 0), (0.15, 0.25), (0.11, height * 0.5)], DARK_WOOD, 7, wobble=0.1)
    layers = 4
    for layer in range(layers):
        part = layer / (layers - 1)
        low = height * (0.24 + 0.19 * layer)
        radius = (1.05 - 0.7 * part) * height / 3.6
        tall = height * 0.34
        color = ("#2f5a45", "#376649", "#41744d", "#4d8252")[layer]
        ring_low, ring_mid = [], []
        sides = 9
        for side in range(sides):
            angle = (side + layer * 0.4) / sides * math.tau
            far = radius * pine.random.uniform(0.86, 1.1)
            drop = pine.random.uniform(-0.1, 0.06)
            ring_low.append(Vector((math.cos(angle) * far, low + drop, math.sin(angle) * far)))
            ring_mid.append(Vector((math.cos(angle) * radius * 0.5, low + tall * 0.45, math.sin(angle) * radius * 0.5)))
        lean = Vector((pine.random.uniform(-0.06, 0.06), low + tall, pine.random.uniform(-0.06, 0.06)))
        pine.prism([ring_low, ring_mid], color, vary=0.12, caps=(True, False))
        for side in range(sides):
            after = (side + 1) % sides
            pine.add([ring_mid[after], ring_mid[side], lean], color, vary=0.12)
    pine.shade(0, height, 0.6)
    build("Pine", pine, [material("paint", roughness=0.95)])


def blade_hub():
    hub = Sculpture(71)
    hub.lathe([(0.55, -0.5), (0.55, -0.38), (0.4, -0.3), (0.36, -0.1), (0.42, -0.04), (0.42, 0.1), (0.3, 0.16)], DARK_STONE,
              10)
    hub.lathe([(0.34, 0.1), (0.34, 0.22), (0.2, 0.34), (0.0, 0.42)], IRON, 10)
    for rivet in range(10):
        angle = rivet / 10 * math.tau
        hub.blob((math.cos(angle) * 0.42, 0.03, math.sin(angle) * 0.42), (0.045, 0.045, 0.045), BRASS, 1, 0)
    hub.shade(-0.5, 0.1, 0.5)
    build("Blade hub", hub, [material("paint", roughness=0.5, metallic=0.3)])


def blade_arm():
    """A double-edged blade 2 m long (x), 0.5 m wide (z)."""
    arm = Sculpture(72)
    outline = [(-1.0, 0.1), (-0.7, 0.13), (-0.5, 0.24), (0.55, 0.25), (0.8, 0.2), (1.05, 0.0)]
    for (x0, z0), (x1, z1) in zip(outline, outline[1:]):
        for side in (-1, 1):
            for up in (-1, 1):
                ridge0, ridge1 = Vector((x0, up * 0.06, 0)), Vector((x1, up * (0.06 if x1 < 1 else 0.0), 0))
                edge0, edge1 = Vector((x0, 0, side * z0)), Vector((x1, 0, side * z1))
                corners = [ridge0, edge0, edge1, ridge1] if z1 else [ridge0, edge0, edge1]
                arm.add(corners if side * up > 0 else list(reversed(corners)), STEEL if side > 0 else "#9a9db0")
    arm.box((-0.85, 0, 0), (0.34, 0.15, 0.3), IRON, 0.03)
    arm.box((-0.6, 0, 0), (0.1, 0.13, 0.44), BRASS, 0.02)
    build("Blade arm", arm, [material("paint", roughness=0.32, metallic=0.75)])


def spikes():
    """A trap 2 m square; the origin is in the middle of its 0.3 m base."""
    trap = Sculpture(73)
    trap.box((0, 0, 0), (2, 0.3, 2), DARK_STONE, 0.05)
    for side in range(4):
        turn = Matrix.Rotation(side * math.pi / 2, 4, "Y")
        rim = Sculpture(74 + side)
        rim.box((0, 0.15, 0.92), (2.0, 0.1, 0.18), IRON, 0.02)
        trap.join(rim, turn)
    for x in range(4):
        for z in range(4):
            at = (-0.6 + x * 0.4, 0.12, -0.6 + z * 0.4)
            trap.lathe([(0.1, 0), (0.09, 0.05)], IRON, 6, at=at)
            trap.lathe([(0.065, 0), (0.045, 0.3), (0.0, 0.62 + 0.06 * ((x + z) % 2))], STEEL, 6, at=at)
    trap.shade(-0.15, 0.6, 0.55)
    build("Spikes", trap, [material("paint", roughness=0.4, metallic=0.5)])


def lift():
    """A wooden platform 2.4 m square, 0.4 m thick."""
    planks = Sculpture(81)
    for number in range(6):
        x = -1.0 + number * 0.4
        planks.box((x, 0.12, 0), (0.38, 0.16, 2.4), planks.random.choice([WOOD, WOOD, "#946c4a", "#7d5a3d"]), 0.02,
                   jitter=0.003)
    for z in (-0.9, 0.9):
        planks.box((0, -0.06, z), (2.3, 0.2, 0.24), DARK_WOOD, 0.02)
    for x in (-1.05, 1.05):
        for z in (-1.05, 1.05):
            planks.box((x, 0.06, z), (0.28, 0.3, 0.28), IRON, 0.02)
            planks.blob((x, 0.22, z), (0.06, 0.04, 0.06), BRASS, 1, 0)
    planks.lathe([(0.3, -0.5), (0.36, -0.2), (0.3, -0.1)], IRON, 8)
    planks.lathe([(0.16, -0.62), (0.24, -0.5)], "#8fd0ff", 8, material=GLOW, vary=0)
    planks.shade(-0.5, 0.1, 0.55)
    build("Lift", planks, [material("paint"), material("glow", "#6db8ff", 4)])


def beacon():
    """The brazier on the keep: 1.2 m, the origin in the middle."""
    bowl = Sculpture(91)
    bowl.lathe([(0.6, -0.6), (0.6, -0.48), (0.42, -0.4), (0.3, -0.2), (0.26, 0.1)], STONE, 8)
    bowl.lathe([(0.2, 0.05), (0.55, 0.3), (0.68, 0.55), (0.68, 0.62), (0.58, 0.62)], IRON, 10, caps=(True, False))
    bowl.lathe([(0.4, 0.35), (0.6, 0.6)], "#2a2430", 10, caps=(True, False))
    for log in range(6):
        angle = log / 6 * math.tau
        bowl.box((math.cos(angle) * 0.24, 0.58, math.sin(angle) * 0.24), (0.6, 0.12, 0.12), DARK_WOOD, 0.02,
                 turn=(0, -math.degrees(angle) + 20, 24))
    for side in range(8):
        angle = (side + 0.5) / 8 * math.tau
        bowl.box((math.cos(angle) * 0.66, 0.6, math.sin(angle) * 0.66), (0.1, 0.2, 0.1), BRASS, 0.02,
                 turn=(0, -math.degrees(angle), 0))
    bowl.shade(-0.6, 0.3, 0.55)
    build("Beacon", bowl, [material("paint", roughness=0.7)])


def tuft():
    """Grass and a few flowers, 0.4 m wide."""
    grass = Sculpture(101)
    for blade in range(14):
        angle = grass.random.uniform(0, math.tau)
        far = grass.random.uniform(0, 0.2)
        foot = Vector((math.cos(angle) * far, 0, math.sin(angle) * far))
        lean = Vector((math.cos(angle), 0, math.sin(angle))) * grass.random.uniform(0.03, 0.12)
        tall = grass.random.uniform(0.14, 0.32)
        side = Vector((-math.sin(angle), 0, math.cos(angle))) * 0.028
        tip = foot + lean + Vector((0, tall, 0))
        color = grass.random.choice(["#6f9150", "#7ea257", "#5b7d45"])
        grass.add([foot - side, foot + side, tip], color)
        grass.add([foot + side, foot - side, tip], color)
    for flower, color in enumerate(["#ffd27a", "#f0a0c0", "#ffd27a"]):
        angle = flower * 2.1
        grass.blob((math.cos(angle) * 0.13, 0.3 + flower * 0.03, math.sin(angle) * 0.13), (0.035, 0.03, 0.035), color, 1, 0)
    grass.shade(0, 0.25, 0.6)
    build("Tuft", grass, [material("paint", roughness=0.95)])


def rocks():
    """A heap of stones, about 1 m wide."""
    heap = Sculpture(102)
    heap.blob((0, 0.18, 0), (0.42, 0.32, 0.38), CLIFF, 1, 0.35)
    heap.blob((0.4, 0.1, 0.2), (0.25, 0.18, 0.22), STONE, 1, 0.35)
    heap.blob((-0.32, 0.08, 0.28), (0.18, 0.14, 0.2), CLIFF, 1, 0.35)
    heap.tint(MOSS, 0.6, lambda at, up: up.y > 0.6)
    heap.shade(-0.05, 0.35, 0.55)
    build("Rocks", heap, [material("paint", roughness=0.95)])


def islet():
    """An island far off, about 6 m wide, with two trees."""
    land = Sculpture(103)
    sides = 11
    rings = []
    for radius, height in ((0.3, -4.2), (1.2, -2.8), (2.2, -1.4), (2.9, -0.4), (3.1, 0), (2.6, 0.25)):
        rings.append([
            Vector((math.cos((s + 0.5) / sides * math.tau), 0, math.sin((s + 0.5) / sides * math.tau)))
            * radius * land.random.uniform(0.85, 1.1) + Vector((0, height + land.random.uniform(-0.15, 0.15), 0))
            for s in range(sides)
        ])
    land.prism(rings, CLIFF, vary=0.12)
    land.tint(GRASS, 0.95, lambda at, up: up.y > 0.55 and at.y > -0.3)
    for x, z, tall in ((-0.8, 0.3, 2.6), (0.9, -0.5, 1.9), (0.4, 0.9, 1.4)):
        land.lathe([(0.14, 0), (0.1, tall * 0.4)], DARK_WOOD, 6, at=(x, 0.2, z))
        for layer in range(3):
            low = 0.2 + tall * (0.25 + 0.22 * layer)
            land.lathe([((0.8 - 0.22 * layer) * tall / 2.6, low), (0.0, low + tall * 0.4)], "#376649", 8, at=(x, 0, z),
                       wobble=0.1, vary=0.1)
    land.shade(-4, 0.5, 0.45)
    build("Islet", land, [material("paint", roughness=0.95)])


MODELS = {
    "hero": hero,
    "shade": shade,
    "flame": flame,
    "lamp": lamp,
    "lamp_glass": lamp_glass,
    "wall_long": lambda: wall(7, 33),
    "wall": lambda: wall(6, 34),
    "wall_short": lambda: wall(3, 35, along_z=False),
    "tower": tower,
    "island": island,
    "courtyard": courtyard,
    "step": lambda: slab(2, 2, 62),
    "ledge": lambda: slab(3, 3, 63),
    "tree_tall": lambda: tree(64, 4.2),
    "tree_low": lambda: tree(65, 3.0),
    "blade_hub": blade_hub,
    "blade_arm": blade_arm,
    "spikes": spikes,
    "lift": lift,
    "beacon": beacon,
    "tuft": tuft,
    "rocks": rocks,
    "islet": islet,
}


def export(name):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FRAMES
    MODELS[name]()
    path = FOLDER / f"{name}.glb"
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_format="GLB", export_yup=True, export_texcoords=False, export_normals=True,
        export_animations=True, export_nla_strips=True, export_optimize_animation_size=True,
        export_force_sampling=False, export_extras=False, export_copyright="", export_skins=True,
        export_cameras=False, export_lights=False,
    )
    faces = sum(len(mesh.polygons) for mesh in bpy.data.meshes)
    print(f"{name:<12} {faces:6} faces {path.stat().st_size:8} bytes")


def main():
    names = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else list(MODELS)
    unknown = [name for name in names if name not in MODELS]
    if unknown:
        raise SystemExit(f"no model is called {', '.join(unknown)}; there are {', '.join(MODELS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        export(name)


main()
