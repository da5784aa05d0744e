#if os(Linux)
  import Runtime

  /// Addresses gathered elsewhere, as the toolchain's `Backtrace`, which has no initialiser for
  /// them but is Codable.
  ///
  /// Its form is the Compact Backtrace Format of the Swift documentation: a version and word-size
  /// byte, one instruction per frame, end. A test holds this against the toolchain.
  struct CompactBacktrace {
    private let fields: [String: String]

    init(returnAddresses: [UInt64]) {
      var bytes: [UInt8] = [Code.version0With64BitWords]
      for address in returnAddresses {
        bytes.append(Code.returnAddressOf8Bytes)
        withUnsafeBytes(of: address.bigEndian) { bytes.append(contentsOf: $0) }
      }
      bytes.append(Code.end)
      #if arch(arm64)
        let architecture = "arm64"
      #else
        let architecture = "x86_64"
      #endif
      fields = ["architecture": architecture, "backtrace": Self.base64(bytes)]
    }

    func decoded() throws -> Backtrace { try Backtrace(from: FlatDecoder(fields: fields)) }

    private enum Code {
      static let version0With64BitWords: UInt8 = 0x02
      static let returnAddressOf8Bytes: UInt8 = 0x2F
      static let end: UInt8 = 0x00
    }

    /// RFC 4648, without padding.
    static func base64(_ bytes: [UInt8]) -> String {
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
      var text: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
        for digit in 0...group.count {
          text.append(digits[Int(bits >> (18 - 6 * UInt32(digit)) & 63)])
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Decodes one object whose members are strings; everything else is an error.
  private struct FlatDecoder: Decoder {
    let fields: [String: String]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Members<Key>(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw refusal("a list") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
      throw refusal("a value")
    }

    private func refusal(_ what: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: [], debugDescription: "\(what) where strings are expected"))
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
      let fields: [String: String]
      let codingPath: [any CodingKey] = []
      var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

      func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
      func decodeNil(forKey key: Key) -> Bool { !contains(key) }

      func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let text = fields[key.stringValue] as? T { return text }
        throw DecodingError.typeMismatch(
          type, .init(codingPath: [key], debugDescription: "only strings are here"))
      }

      func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
      ) throws -> KeyedDecodingContainer<Inner> { throw refusal(key) }
      func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw refusal(key)
      }
      func superDecoder() throws -> any Decoder { throw refusal(nil) }
      func superDecoder(forKey key: Key) throws -> any Decoder { throw refusal(key) }

      private func refusal(_ key: Key?) -> DecodingError {
        .dataCorrupted(
          .init(codingPath: key.map { [$0] } ?? [], debugDescription: "only strings are here"))
      }
    }
  }
#endif
