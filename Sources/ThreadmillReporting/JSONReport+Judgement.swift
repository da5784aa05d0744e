import ThreadmillModel

/// `judgement`: an object with a `verdict`, and for what is suppressed with `reason` and `by`.
extension JSONReport {
  private enum Verdict: String, CaseIterable {
    case new, known, suppressed
  }

  static func json(of judgement: Finding.Judgement) -> JSON {
    func object(_ verdict: Verdict, _ reason: String? = nil, by: String? = nil) -> JSON {
      members(
        ("verdict", .string(verdict.rawValue)), ("reason", reason.map(JSON.string)),
        ("by", by.map(JSON.string)))
    }
    return switch judgement {
    case .new: object(.new)
    case .known: object(.known)
    case .suppressed(let reason, let by): object(.suppressed, reason, by: by)
    }
  }

  static func judgement(_ json: JSONReader) throws(ReportFormatError) -> Finding.Judgement {
    let verdict: Verdict = try json["verdict"].name()
    return switch verdict {
    case .new: .new
    case .known: .known
    case .suppressed:
      .suppressed(reason: try json["reason"].string(), by: try json["by"].string())
    }
  }
}
