function main()
  local total = 0
  for round = 1, 20 do
    local things = {}
    for i = 1, 3000 do things[#things + 1] = {id = i, weight = i * 0.25, round = round} end
    for _, thing in ipairs(things) do total = total + thing.weight end
  end
  return total
end
