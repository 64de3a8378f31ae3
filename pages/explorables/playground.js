/* How many people give each ranking, and the answers that were made for every such number. */
const { examples, most } = JSON.parse(document.getElementById("playground").textContent)
const lines = document.querySelector(".lines")
const answer = document.querySelector(".answer")
const pills = [...document.querySelectorAll(".pill")]
const inApp = document.querySelector(".in-app")
let at = 0
let counts = []

function answerNow() {
  const { answers, answer_of } = examples[at]
  return answers[answer_of[counts.reduce((index, count) => index * (most + 1) + count, 0)]]
}

function drawAnswer() {
  answer.innerHTML = answerNow()
  const { link, orders } = examples[at]
  inApp.hidden = !link
  const given = orders.map((order, i) => (counts[i] ? `${counts[i]}: ${order}` : "")).filter(Boolean)
  if (link) inApp.firstChild.href = link + encodeURIComponent(given.join("\n"))
}

function drawLines() {
  const example = examples[at]
  lines.replaceChildren(
    ...example.lines.map((strip, i) => {
      const line = Object.assign(document.createElement("div"), { className: "line" })
      line.innerHTML = `<div class="lr">${strip}</div><b></b>`
      const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: most, value: counts[i] })
      input.setAttribute("aria-label", `People who say ${example.says[i]}`)
      const write = () => (line.querySelector("b").textContent = counts[i])
      input.addEventListener("input", () => {
        counts[i] = Number(input.value)
        write()
        drawAnswer()
      })
      input.addEventListener("change", writeAddress)
      write()
      line.append(input)
      return line
    }),
  )
  pills.forEach((pill, i) => (i === at ? pill.setAttribute("aria-current", "true") : pill.removeAttribute("aria-current")))
  drawAnswer()
}

function writeAddress() {
  history.replaceState(null, "", `#example=${at + 1}&people=${counts.join()}`)
}

function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1))
  at = Math.min(Math.max((Number(said.get("example")) || 1) - 1, 0), examples.length - 1)
  const people = (said.get("people") ?? "").split(",").map(Number)
  const isUsable = people.length === examples[at].counts.length && people.every((count) => Number.isInteger(count) && count >= 0 && count <= most)
  counts = isUsable && said.has("people") ? people : [...examples[at].counts]
  drawLines()
}

addEventListener("hashchange", readAddress)
readAddress()
