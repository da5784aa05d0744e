import Foundation
import Testing
import ThreadmillChildren

@testable import ThreadmillCommand

@Suite struct SourceFilesTests {
  @Test func linesEndAsTheirFileHasIt() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    try Data("a\r\n\tb\n\nc".utf8).write(to: folder.file("A.swift"))
    let files = SourceFiles(folder: folder.url.path)
    #expect(files.lines(of: "A.swift") == ["a", "\tb", "", "c"])
    #expect(files.lines(of: folder.file("A.swift").path) == ["a", "\tb", "", "c"])
  }

  @Test func aFileIsReadOnce() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    try Data("a".utf8).write(to: folder.file("A.swift"))
    let files = SourceFiles(folder: folder.url.path)
    #expect(files.lines(of: "A.swift") == ["a"])
    #expect(files.lines(of: "B.swift") == nil)
    try Data("b".utf8).write(to: folder.file("A.swift"))
    try Data("b".utf8).write(to: folder.file("B.swift"))
    #expect(files.lines(of: "A.swift") == ["a"])
    #expect(files.lines(of: "B.swift") == nil)
  }

  /// Reading one of these would wait for ever, or never come to an end.
  @Test func whatIsNoFileIsNotRead() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
    let files = SourceFiles(folder: folder.url.path)
    for path in ["pipe", "/dev/zero", ".", "", "a\u{0}b"] { #expect(files.lines(of: path) == nil) }
  }
}
