function main()
  local ball = {x = 0, y = 10, vy = 0, hits = 0}
  for i = 1, 300000 do
    ball.vy = ball.vy - 0.01
    ball.y = ball.y + ball.vy
    ball.x = ball.x + 0.5
    if ball.y < 0 then
      ball.y = 0
      ball.vy = 0 - ball.vy
      ball.hits = ball.hits + 1
    end
  end
  return ball.x + ball.hits
end
