//! Chains of fields, elements and calls: `a.b?.c[i](x)`.

use super::Compiler;
use super::scope::Meaning;
use crate::ast::{Expr, ExprKind};
use crate::code::Op;
use crate::diagnostic::Diagnostic;
use crate::environment::{Acts, Kind};
use crate::span::Span;

impl Compiler<'_> {
    /// Computes a link of a chain into a register. Jumps of `?.` and `?[` skip the rest of the whole chain.
    pub(super) fn chain(&mut self, expr: &Expr, to: u8, nils: &mut Vec<usize>) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Field(object, name, name_span, safe) => {
                if self.special_field(object, name, *name_span, to, span) {
                    return;
                }
                let mark = self.mark();
                let b = self.link(object, to, *safe, nils);
                let name = self.site(name);
                self.emit(Op::GetField, to, b, 0, name, object.span);
                self.release(mark);
            }
            ExprKind::Index(object, index, safe) => {
                let mark = self.mark();
                let b = self.link(object, to, *safe, nils);
                let c = self.operand(index);
                self.emit(Op::GetIndex, to, b, c, 0, span);
                self.release(mark);
            }
            ExprKind::Call(callee, args) => self.call(callee, args, to, span, nils),
            _ => self.expr_into(expr, to),
        }
    }

    /// The object of a link: a variable's own register, or `to` where it is computed. A nil behind `?` jumps away
    /// with nil in `to`.
    fn link(&mut self, object: &Expr, to: u8, safe: bool, nils: &mut Vec<usize>) -> u8 {
        let is_chain = matches!(object.kind, ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Call(..));
        let register = if is_chain {
            self.chain(object, to, nils);
            to
        } else if safe {
            self.expr_into(object, to);
            to
        } else {
            self.operand(object)
        };
        if safe {
            nils.push(self.emit(Op::JumpIfNil, to, 0, 0, 0, object.span));
        }
        register
    }

    /// `module.name`, `area.name`: resolved here, no value in between.
    fn special_field(&mut self, object: &Expr, name: &str, name_span: Span, to: u8, span: Span) -> bool {
        let ExprKind::Name(owner) = &object.kind else { return false };
        if !self.is_own_name(owner)
            && crate::library::constant(owner, name).is_none()
            && let Some(found) = self.foreign_value(&format!("{owner}.{name}"), span)
        {
            self.error(found);
            return true;
        }
        match self.find(owner) {
            Some(Meaning::Module(module)) => {
                self.module_value(module, owner, name, name_span, to, span);
                true
            }
            Some(Meaning::Area | Meaning::Host(_) | Meaning::Native(_)) if self.is_area(owner) => {
                self.area_value(owner, name, name_span, to, span);
                true
            }
            _ => false,
        }
    }

    fn is_area(&self, name: &str) -> bool {
        self.environment.has_area(name) || crate::library::has_area(name)
    }

    fn area_value(&mut self, area: &str, name: &str, name_span: Span, to: u8, span: Span) {
        if let Some((number, function)) = self.environment.function(area, name) {
            if function.property {
                self.emit(Op::CallHost, to, 0, 0, i32::from(number), span);
                return;
            }
        } else if let Some(constant) = crate::library::constant(area, name) {
            let constant = self.constant(crate::code::Constant::Number(constant));
            self.emit(Op::Constant, to, 0, 0, constant, span);
            return;
        } else if let Some(vector) = crate::library::vector_constant(area, name) {
            let mark = self.mark();
            let first = mark.min(255) as u8;
            for part in vector {
                let register = self.temporary(span);
                let constant = self.constant(crate::code::Constant::Number(f64::from(part)));
                self.emit(Op::Constant, register, 0, 0, constant, span);
            }
            self.emit(Op::Vector, to, first, 0, 3, span);
            self.release(mark);
            return;
        } else if crate::library::find(area, name).is_none() {
            self.unknown_in_area(area, name, name_span);
            return;
        }
        self.error(
            Diagnostic::error("E204", span, format!("`{area}.{name}` is a function: call it"))
                .hint(format!("write `{area}.{name}(…)`")),
        );
    }

    fn unknown_in_area(&mut self, area: &str, name: &str, span: Span) {
        let mut names: Vec<String> = self.environment.area_names(area).map(str::to_owned).collect();
        names.extend(crate::library::names(area));
        names.sort();
        let near = if self.may_suggest() {
            base::suggest::nearest(name, names.iter().map(String::as_str))
        } else {
            Vec::new()
        };
        let diagnostic = Diagnostic::error("E216", span, format!("`{area}` has no `{name}`"));
        let is_free =
            crate::library::find("", name).is_some() || self.environment.function("", name).is_some();
        let found = match near.first() {
            _ if is_free => {
                let whole = Span::new(span.start - area.len() as u32 - 1, span.end);
                diagnostic.hint(format!("it belongs to no area: write `{name}(…)`")).fix_at(whole, name)
            }
            Some(first) => {
                let hint = base::suggest::did_you_mean(&near).unwrap_or_default();
                diagnostic.hint(hint).fix(first.clone())
            }
            None => diagnostic
                .hint(format!("`{area}` has {}", base::suggest::list(names.iter().map(String::as_str), 30))),
        };
        self.error(found);
    }

    fn module_value(&mut self, module: usize, owner: &str, name: &str, name_span: Span, to: u8, span: Span) {
        let Some(program) = self.program.modules.get(module).cloned() else { return };
        if let Some(global) = program.global(name).filter(|_| !name.starts_with('_')) {
            self.emit(Op::GetModule, to, module as u8, 0, global as i32, span);
        } else if program.named.contains_key(name) {
            self.error(
                Diagnostic::error("E204", span, format!("`{owner}.{name}` is a function: call it"))
                    .hint(format!("write `{owner}.{name}(…)`, or `fn(x) => {owner}.{name}(x)`")),
            );
        } else {
            self.unknown_in_module(&program, owner, name, name_span);
        }
    }

    fn unknown_in_module(&mut self, program: &crate::code::Program, owner: &str, name: &str, span: Span) {
        let public: Vec<&str> = program
            .named
            .keys()
            .map(String::as_str)
            .chain(program.globals.iter().map(|global| global.name.as_str()))
            .filter(|name| !name.starts_with('_'))
            .collect();
        let near = if self.may_suggest() {
            base::suggest::nearest(name, public.iter().copied())
        } else {
            Vec::new()
        };
        let hint = base::suggest::did_you_mean(&near)
            .unwrap_or_else(|| format!("`{owner}` has {}", base::suggest::list(public.iter().copied(), 30)));
        self.error(
            Diagnostic::error("E216", span, format!("the module `{owner}` has no `{name}`")).hint(hint),
        );
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], to: u8, span: Span, nils: &mut Vec<usize>) {
        let mark = self.mark();
        if let Some(found) = self.foreign(callee, args, span) {
            self.error(found);
            self.arguments(args, to, span);
            self.release(mark);
            return;
        }
        match &callee.kind {
            ExprKind::Name(name) => match self.lookup(name, callee.span) {
                Meaning::Function(index) => {
                    let declared = self.declared.get(name).cloned();
                    if let Some(declared) = declared {
                        self.check_count(
                            name,
                            declared.required,
                            declared.params,
                            &declared.names,
                            args,
                            span,
                        );
                    }
                    let base = self.arguments(args, to, span);
                    self.emit(Op::CallFunction, base, args.len() as u8, 0, index as i32, span);
                    self.result(base, to, span);
                }
                Meaning::Native(number) => self.native(name, number, args, to, span),
                Meaning::Host(number) => self.host(name, number, args, to, span),
                Meaning::Module(_) | Meaning::Area => self.error(
                    Diagnostic::error(
                        "E308",
                        callee.span,
                        format!("`{name}` is a collection of functions, not a function"),
                    )
                    .hint(format!("call something of it: `{name}.…()`")),
                ),
                Meaning::Unknown => {
                    // The arguments are looked at all the same, for their own faults.
                    self.arguments(args, to, span);
                }
                _ => self.value_call(callee, args, to, span),
            },
            ExprKind::Field(object, name, name_span, safe) => {
                if !self.special_call(object, name, *name_span, args, to, span) {
                    self.method_call(object, name, *safe, args, to, span, nils);
                }
            }
            _ => self.value_call(callee, args, to, span),
        }
        self.release(mark);
    }

    /// Another language's function, called by its whole name.
    fn foreign(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Option<Diagnostic> {
        match &callee.kind {
            ExprKind::Name(name) if self.find(name).is_none() => {
                self.foreign_call(name, args, callee.span, span)
            }
            ExprKind::Field(object, name, _, false) => {
                let ExprKind::Name(owner) = &object.kind else { return None };
                if self.is_own_name(owner) {
                    return None;
                }
                let is_known = self.environment.function(owner, name).is_some()
                    || crate::library::find(owner, name).is_some()
                    || crate::library::constant(owner, name).is_some();
                if is_known {
                    return None;
                }
                self.foreign_call(&format!("{owner}.{name}"), args, callee.span, span)
            }
            _ => None,
        }
    }

    fn special_call(
        &mut self,
        object: &Expr,
        name: &str,
        name_span: Span,
        args: &[Expr],
        to: u8,
        span: Span,
    ) -> bool {
        let ExprKind::Name(owner) = &object.kind else { return false };
        match self.find(owner) {
            Some(Meaning::Module(module)) => {
                let Some(program) = self.program.modules.get(module).cloned() else {
                    self.arguments(args, to, span);
                    return true;
                };
                match program.named.get(name).filter(|_| !name.starts_with('_')) {
                    Some(index) => {
                        if let Some(code) = program.functions.get(*index) {
                            let full = format!("{owner}.{name}");
                            let (required, params) = (usize::from(code.required), usize::from(code.params));
                            self.check_count(&full, required, params, &code.param_names, args, span);
                        }
                        let base = self.arguments(args, to, span);
                        self.emit(Op::CallModule, base, args.len() as u8, module as u8, *index as i32, span);
                        self.result(base, to, span);
                    }
                    None => self.unknown_in_module(&program, owner, name, name_span),
                }
                true
            }
            Some(Meaning::Area | Meaning::Host(_) | Meaning::Native(_)) if self.is_area(owner) => {
                let full = format!("{owner}.{name}");
                if let Some((number, _)) = self.environment.function(owner, name) {
                    self.host(&full, number, args, to, span);
                } else if let Some(number) = crate::library::find(owner, name) {
                    self.native(&full, number, args, to, span);
                } else if crate::library::constant(owner, name).is_some()
                    || crate::library::vector_constant(owner, name).is_some()
                {
                    self.error(
                        Diagnostic::error("E308", span, format!("`{full}` is a value, not a function"))
                            .hint(format!("write `{full}` without brackets"))
                            .fix(full.clone()),
                    );
                } else {
                    self.unknown_in_area(owner, name, name_span);
                }
                true
            }
            _ => false,
        }
    }

    fn native(&mut self, name: &str, number: u16, args: &[Expr], to: u8, span: Span) {
        let Some(native) = crate::library::get(number) else { return };
        let (least, most) = (usize::from(native.arity.0), usize::from(native.arity.1));
        self.check_count(name, least, most, &[], args, span);
        if self.is_top() && self.kind() == Kind::Entity && name.starts_with("wait") {
            self.error(
                Diagnostic::error("E410", span, "the top of a script cannot wait")
                    .hint("wait in `on start()`"),
            );
        }
        self.check_acts(name, native.acts, span);
        if let Some(prelude) = native.prelude {
            // Written in Wander itself, in the prelude that every program carries as its last module.
            self.prelude_call(prelude, args, to, span);
            return;
        }
        if let [arg] = args {
            let mark = self.mark();
            let operand = self.operand(arg);
            self.emit(Op::CallNative1, to, operand, native.shortcut as u8, i32::from(number), span);
            self.release(mark);
            return;
        }
        let base = self.arguments(args, to, span);
        self.emit(Op::CallNative, base, args.len() as u8, 0, i32::from(number), span);
        self.result(base, to, span);
    }

    fn prelude_call(&mut self, name: &str, args: &[Expr], to: u8, span: Span) {
        let base = self.arguments(args, to, span);
        let name = self.name(name);
        // Module 255 is the prelude; its functions are found by name when the program is loaded.
        self.emit(Op::CallModule, base, args.len() as u8, u8::MAX, name, span);
        self.result(base, to, span);
    }

    fn host(&mut self, name: &str, number: u16, args: &[Expr], to: u8, span: Span) {
        let Some(function) = self.environment.by_number(number).copied() else { return };
        if function.property {
            self.error(
                Diagnostic::error("E308", span, format!("`{name}` is a value, not a function"))
                    .hint(format!("write `{name}` without brackets"))
                    .fix(name),
            );
            return;
        }
        self.check_count(name, usize::from(function.arity.0), usize::from(function.arity.1), &[], args, span);
        self.check_acts(name, function.acts, span);
        let base = self.arguments(args, to, span);
        self.emit(Op::CallHost, base, args.len() as u8, 0, i32::from(number), span);
        self.result(base, to, span);
    }

    /// Expressions cannot wait; those of templates cannot change anything either.
    fn check_acts(&mut self, name: &str, acts: Acts, span: Span) {
        match (acts, self.kind()) {
            (Acts::Waits, Kind::Expression | Kind::Template) => {
                let what = if self.kind() == Kind::Template { "a template" } else { "an expression" };
                self.error(Diagnostic::error("E411", span, format!("`{name}` cannot wait inside {what}")));
            }
            (Acts::Changes, Kind::Template) => self.error(
                Diagnostic::error(
                    "E412",
                    span,
                    format!("`{name}` changes the world, and a template only looks"),
                )
                .hint("let a step or a script do it, and use what comes of it here"),
            ),
            _ => {}
        }
    }

    /// What a method's name says about what it does, where only entities have a method of that name.
    fn check_method_acts(&mut self, name: &str, span: Span) {
        if let Some((_, method)) = self.environment.method(name)
            && crate::library::methods_called(name).iter().all(Option::is_none)
        {
            self.check_acts(name, method.acts, span);
        }
    }

    fn value_call(&mut self, callee: &Expr, args: &[Expr], to: u8, span: Span) {
        let base = self.temporary(span);
        self.expr_into(callee, base);
        self.release(u16::from(base) + 1);
        for arg in args {
            let register = self.temporary(arg.span);
            self.expr_into(arg, register);
            self.release(u16::from(register) + 1);
        }
        self.emit(Op::Call, base, args.len() as u8, 0, 0, callee.span);
        self.result(base, to, span);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one node, taken apart by the caller")]
    fn method_call(
        &mut self,
        object: &Expr,
        name: &str,
        safe: bool,
        args: &[Expr],
        to: u8,
        span: Span,
        nils: &mut Vec<usize>,
    ) {
        self.check_method_acts(name, span);
        let base = self.temporary(span);
        let receiver = self.temporary(span);
        // Jumps of `?` land behind the call: `to` must be nil then.
        if safe || has_safe_link(object) {
            self.emit(Op::Nil, to, 0, 0, 0, span);
        }
        let is_chain = matches!(object.kind, ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Call(..));
        if is_chain {
            self.chain(object, receiver, nils);
        } else {
            self.expr_into(object, receiver);
        }
        if safe {
            nils.push(self.emit(Op::JumpIfNil, receiver, 0, 0, 0, object.span));
        }
        self.release(u16::from(receiver) + 1);
        for arg in args {
            let register = self.temporary(arg.span);
            self.expr_into(arg, register);
            self.release(u16::from(register) + 1);
        }
        let op = if name == "push" && args.len() == 1 { Op::CallPush } else { Op::CallMethod };
        let name = self.name(name);
        self.emit(op, base, args.len() as u8, 0, name, object.span);
        self.result(base, to, span);
    }

    /// Arguments behind a register for the result, which is given: `to` itself where nothing lies above it, so that the
    /// result need not be moved. It is not written before the call.
    fn arguments(&mut self, args: &[Expr], to: u8, span: Span) -> u8 {
        let base = if self.mark() == u16::from(to) + 1 { to } else { self.temporary(span) };
        for arg in args {
            let register = self.temporary(arg.span);
            self.expr_into(arg, register);
            self.release(u16::from(register) + 1);
        }
        base
    }

    fn result(&mut self, base: u8, to: u8, span: Span) {
        if base != to {
            self.emit(Op::Move, to, base, 0, 0, span);
        }
    }

    fn check_count(
        &mut self,
        name: &str,
        least: usize,
        most: usize,
        names: &[String],
        args: &[Expr],
        span: Span,
    ) {
        if args.len() > 200 {
            self.error(
                Diagnostic::error("E203", span, "a call has at most 200 arguments").hint("pass a list"),
            );
            return;
        }
        if args.len() < least {
            let message = match names.get(args.len()) {
                Some(missing) => format!("`{name}` is missing `{missing}`"),
                None => format!("`{name}` needs {}, given {}", counted(least, "argument"), args.len()),
            };
            let hint =
                if names.is_empty() { None } else { Some(format!("write `{name}({})`", names.join(", "))) };
            let mut diagnostic = Diagnostic::error("E203", span, message);
            diagnostic.hint = hint;
            self.error(diagnostic);
        } else if args.len() > most {
            let mut diagnostic = Diagnostic::error(
                "E203",
                span,
                format!(
                    "`{name}` takes {}, given {}",
                    if most == 0 {
                        "no arguments".to_owned()
                    } else {
                        format!("at most {}", counted(most, "argument"))
                    },
                    args.len()
                ),
            );
            if !names.is_empty() {
                diagnostic = diagnostic.hint(format!("write `{name}({})`", names.join(", ")));
            }
            self.error(diagnostic);
        }
    }
}

/// Whether some link of a chain may end it early.
fn has_safe_link(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Field(object, _, _, safe) => *safe || has_safe_link(object),
        ExprKind::Index(object, _, safe) => *safe || has_safe_link(object),
        ExprKind::Call(callee, _) => has_safe_link(callee),
        _ => false,
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
