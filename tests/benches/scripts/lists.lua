function main()
  local numbers, seed = {}, 17
  for i = 1, 60000 do
    seed = (seed * 1103 + 12345) % 65536
    numbers[#numbers + 1] = seed
  end
  table.sort(numbers)
  local sum = 0
  for _, n in ipairs(numbers) do sum = sum + n end
  return sum + numbers[1] + numbers[30000]
end
