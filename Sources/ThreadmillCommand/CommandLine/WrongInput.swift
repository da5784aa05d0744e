import Foundation
import ThreadmillModel

/// A mistake in a file that the user gave: exit status 2.
package struct WrongInput: Error, Hashable, Sendable {
  /// Each names the file.
  package let lines: [String]

  package init(_ lines: [String]) { self.lines = lines }

  package init(_ line: String) { self.init([line]) }
}

extension WrongInput {
  /// The whole file; `nil` if there is none.
  static func contents(of path: String) throws(WrongInput) -> [UInt8]? {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw WrongInput("\(path.printable): a folder; expected a file")
    }
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      let reason = access(path, R_OK) == 0 ? "\(error)" : String(cString: strerror(errno))
      throw WrongInput("\(path.printable): cannot be read: \(reason.printable)")
    }
  }
}
