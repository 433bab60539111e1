"""Small line charts in a row as one SVG file, with the standard library only."""

import html
import math

WIDTH, HEIGHT, LEFT, TOP, BETWEEN = 240, 150, 60, 50, 60
INK, FAINT, LINE = "#1b1f24", "#66707a", "#1f5fa8"


def text(x, y, words, anchor="middle", color=FAINT, size=11, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}" '
            f'font-weight="{weight}">{html.escape(str(words))}</text>')


def round_up(value):
    """Rounds up to 1, 2, 2.5, 5 or 10 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-9))


def panel(left, title, unit, points, logarithmic):
    """points: (x, y). The y axis starts at zero; the x axis is logarithmic or starts at zero, with a label at each point."""
    place = math.log2 if logarithmic else float
    least = place(points[0][0]) if logarithmic else 0.0
    most = place(points[-1][0])
    top = round_up(max(y for _, y in points))
    at = [(left + WIDTH * (place(x) - least) / (most - least), TOP + HEIGHT * (1 - y / top)) for x, y in points]
    parts = [text(left, TOP - 28, title, "start", INK, 13, "bold"), text(left, TOP - 12, unit, "start")]
    for step in range(5):
        y = TOP + HEIGHT * (1 - step / 4)
        parts.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#dde2e7"/>')
        parts.append(text(left - 8, y + 4, f"{top * step / 4:,.10g}", "end"))
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    parts.append(f'<path d="M{path}" fill="none" stroke="{LINE}" stroke-width="2" stroke-linejoin="round"/>')
    for (value, _), (x, y) in zip(points, at):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LINE}"/>')
        parts.append(text(x, TOP + HEIGHT + 18, f"{value:g}"))
    return "\n".join(parts)


def write_charts(path, charts):
    """charts: (title, unit, points, logarithmic) of each panel, from left to right."""
    step = LEFT + WIDTH + BETWEEN - 30
    width, height = step * len(charts) + 30, TOP + HEIGHT + 36
    body = "\n".join(panel(LEFT + step * k, *chart) for k, chart in enumerate(charts))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   f'viewBox="0 0 {width} {height}" font-family="sans-serif">\n'
                   f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n')
