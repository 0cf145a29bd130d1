local function counter(step)
  local n = 0
  return function(x)
    n = n + step
    return x + n
  end
end
function main()
  local count, t = counter(2), 0
  for i = 1, 200000 do t = count(t) % 1000 end
  return t
end
