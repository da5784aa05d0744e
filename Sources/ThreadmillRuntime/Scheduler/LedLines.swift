#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  /// The lines of the program that explorations of this process are led to.
  package struct LedLines {
    /// A line to which nothing can be led, and why.
    package enum Fault: Error, Equatable {
      case noFile(CodeLine)
      /// The nearest lines with code in the same file, if there are any.
      case noCode(CodeLine, nearest: [Int])
      /// Several files have the name.
      case ambiguous(CodeLine, paths: [String])
    }

    /// From now on, offers of explorations say which of these lines a strand stands at. The debug
    /// information of all images is read for that.
    package static func lead(to lines: [CodeLine]) throws(Fault) {
      var images = LoadedImages()
      var pieces: [tm_line_code] = []
      for (number, line) in lines.enumerated() {
        for piece in try code(of: line, in: &images) {
          pieces.append(
            tm_line_code(low: piece.lowerBound, high: piece.upperBound, lines: 1 << UInt16(number)))
        }
      }
      pieces = merged(pieces)
      // The gate reads it until the process ends.
      let kept = UnsafeMutableBufferPointer<tm_line_code>.allocate(capacity: max(1, pieces.count))
      _ = kept.initialize(from: pieces)
      tm_control_lead_to(kept.baseAddress, UInt32(pieces.count))
    }

    private static func code(
      of line: CodeLine, in images: inout LoadedImages
    ) throws(Fault) -> [Range<UInt>] {
      let name = line.file.split(separator: "/").last.map(String.init) ?? line.file
      let code = images.code(ofFilesNamed: name).filter { line.isIn($0.key) }
      guard let lines = code.first?.value else { throw .noFile(line) }
      if code.count > 1 { throw .ambiguous(line, paths: code.keys.sorted()) }
      guard let pieces = lines[line.line] else {
        let before = lines.keys.filter { $0 < line.line }.max()
        let after = lines.keys.filter { $0 > line.line }.min()
        throw .noCode(line, nearest: [before, after].compactMap(\.self))
      }
      return pieces
    }

    /// In the order of their addresses. Code that two named lines share belongs to both.
    private static func merged(_ pieces: [tm_line_code]) -> [tm_line_code] {
      let sorted = pieces.sorted { ($0.low, $0.high) < ($1.low, $1.high) }
      return sorted.reduce(into: []) { merged, piece in
        if let last = merged.indices.last, merged[last].low == piece.low {
          merged[last].high = max(merged[last].high, piece.high)
          merged[last].lines |= piece.lines
        } else {
          merged.append(piece)
        }
      }
    }
  }
#endif
