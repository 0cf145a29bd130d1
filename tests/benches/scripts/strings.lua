function main()
  local words = {}
  for i = 1, 20000 do words[#words + 1] = "word" .. i end
  local text, long = table.concat(words, " "), 0
  for word in string.gmatch(text, "[^ ]+") do
    if #word > 8 then long = long + 1 end
  end
  return long + #text
end
