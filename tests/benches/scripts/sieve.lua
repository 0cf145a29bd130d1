function main()
  local n, found, composite = 200000, 0, {}
  for i = 0, n do composite[i] = false end
  for i = 2, n do
    if not composite[i] then
      found = found + 1
      local k = i * 2
      while k <= n do
        composite[k] = true
        k = k + i
      end
    end
  end
  return found
end
