function main()
  local a, b = 1.0, 0.0
  for i = 1, 1000000 do
    a = a * 0.9995 + 0.75
    if a > 100 then b = b + a % 7 end
  end
  return b
end
