#if canImport(Glibc)
  import ThreadmillModel

  /// What was learnt about places at which threads came close, as a JSON file for the next run.
  package enum NearMissReport {
    static let version = 1

    /// What an earlier run left; nothing if there is no such file.
    package static func read(from path: String) throws(ReportFileError) -> [NearMiss] {
      let folder = try ReportFolder(of: path)
      guard let bytes = try folder.readFile(), !bytes.isEmpty else { return [] }
      do {
        return try misses(in: bytes)
      } catch {
        throw .foreign(path: path, reason: error)
      }
    }

    /// Adds to the file; what is said anew about a place stands for what was said before.
    package static func merge(into path: String, _ misses: [NearMiss]) throws(ReportFileError) {
      let folder = try ReportFolder(of: path)
      try folder.lock(patience: ReportFile.patience)
      defer { folder.unlock() }
      var merged: [Place: NearMiss] = [:]
      for miss in try read(from: path) + misses {
        merged[Place(image: miss.image, offset: miss.offset)] = miss
      }
      let sorted = merged.values.sorted { ($0.image, $0.offset) < ($1.image, $1.offset) }
      try folder.replaceFile(with: bytes(of: sorted))
    }

    private struct Place: Hashable {
      var image: String
      var offset: UInt64
    }

    static func bytes(of misses: [NearMiss]) -> [UInt8] {
      let places = misses.map { miss in
        JSONReport.members(
          ("image", .string(miss.image)), ("offset", .integer(miss.offset)),
          ("weight", .integer(miss.weight)))
      }
      return JSONReport.members(("version", .integer(version)), ("nearMisses", .array(places)))
        .bytes
    }

    static func misses(in bytes: [UInt8]) throws(ReportFormatError) -> [NearMiss] {
      try JSONReader.read(bytes) { json throws(ReportFormatError) in
        let version = try json["version"].integer(Int.self)
        guard version == Self.version else { throw .version(version) }
        return try json["nearMisses"].array { place throws(ReportFormatError) in
          NearMiss(
            image: try place["image"].string(), offset: try place["offset"].integer(UInt64.self),
            weight: try place["weight"].integer(Int.self))
        }
      }
    }
  }
#endif
