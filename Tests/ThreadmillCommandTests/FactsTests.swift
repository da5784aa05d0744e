import Foundation
import Testing
import ThreadmillSymbols

@testable import ThreadmillCommand

/// The parsing of texts and files that the doctor reads, some of which make no sense.
@Suite struct FactsTests {
  @Test func theToolchainSaysWhatItIs() {
    let text = """
      warning: something else
      {"compilerVersion": "Swift version 6.3.1 (swift-6.3.1-RELEASE)", "target": {},
       "paths": {"runtimeResourcePath": "/opt/swift/usr/lib/swift"}}
      """
    let info = TargetInfo(text)
    #expect(info?.version == "6.3.1")
    #expect(info?.root == "/opt/swift/usr")
    let development = text.replacing("6.3.1 (swift-6.3.1-RELEASE)", with: "6.4-dev (LLVM 1)")
    #expect(TargetInfo(development)?.version == "6.4")
    for broken in ["", "{", "{}", text.replacing("Swift version", with: "version")] {
      #expect(TargetInfo(broken) == nil)
    }
  }

  @Test func theDefaultBuildSystemIsInTheHelp() {
    let help = """
        --other <other>         Something. (default: nothing)
        --build-system <build-system>
                                Specify the build system to use. (default: native)
          native            - Native Build System
      """
    #expect(MachineFacts.Toolchain.defaultBuildSystem(in: help) == "native")
    #expect(MachineFacts.Toolchain.defaultBuildSystem(in: "--other (default: x)") == nil)
  }

  @Test(arguments: [
    ("Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2),
    ("Cpus_allowed:\tff,00000001\n", 9), ("Cpus_allowed:\t1\n", 1), ("Name:\tx\n", nil),
  ])
  func affinityIsAMask(_ status: String, _ count: Int?) {
    #expect(MachineFacts.Processors.allowed(in: status) == count)
  }

  @Test(arguments: [(8, nil, 8), (8, 1.5, 2), (2, 4.0, 2), (1, 0.5, 1)] as [(Int, Double?, Int)])
  func whatIsFreeHasAllOfItsTime(_ usable: Int, _ quota: Double?, _ free: Int) {
    let processors = MachineFacts.Processors(online: 8, usable: usable, quota: quota)
    #expect(processors.free == free)
  }

  @Test(
    arguments: [
      ("0::/a/b", ["a/b/cpu.max": "max 100000", "a/cpu.max": "150000 100000"], 1.5),
      ("0::/", ["/cpu.max": "50000 100000"], 0.5),
      ("0::/a", ["a/cpu.max": "max 100000"], nil),
      ("0::/a", ["a/cpu.max": "nonsense"], nil),
      (
        "4:memory:/m\n3:cpu,cpuacct:/a",
        ["cpu,cpuacct/a/cpu.cfs_quota_us": "300000", "cpu,cpuacct/a/cpu.cfs_period_us": "100000"], 3
      ),
      ("1:cpu:/", ["cpu//cpu.cfs_quota_us": "-1", "cpu//cpu.cfs_period_us": "100000"], nil),
      ("", [:], nil), ("nonsense", [:], nil),
    ] as [(String, [String: String], Double?)])
  func theSmallestQuotaCounts(_ memberships: String, _ files: [String: String], _ quota: Double?) {
    #expect(ControlGroup(memberships: memberships) { files[$0] }.quota == quota)
  }

  @Test func aTrialIsJudgedByWhatItSays() {
    let report = "WARNING: ThreadSanitizer: data race (pid=1)\n    #0 "
    let judge = { SanitizerTrial.judge(status: $0, output: $1, hasTimedOut: false) }
    #expect(judge(66, report + "write_all /tmp/race.c:4:5 (race+1)") == .reported(isNamed: true))
    #expect(judge(66, report + "<null> <null> (race+1)") == .reported(isNamed: false))
    #expect(judge(0, "") == .silent)
    #expect(
      judge(66, "==1==\nFATAL: ThreadSanitizer: no\nmore")
        == .refused("FATAL: ThreadSanitizer: no", withoutRandomization: false))
    #expect(judge(nil, "") == .refused("it said nothing", withoutRandomization: false))
    #expect(SanitizerTrial.judge(status: nil, output: report, hasTimedOut: true) == .timedOut)
  }

  @Test func sanitizerOptionsAreReadAsTheSanitizerDoes() {
    #expect(
      SanitizerOption.read("a=1:b='x' c=\"y\",a=2\n:d:=e") == [
        "a": "2", "b": "x", "c": "y", "": "e",
      ])
  }

  /// A program that is cut off or changed anywhere is read in part or not at all, and does no harm.
  @Test func brokenProgramsHarmNobody() throws {
    let whole = try Data(contentsOf: URL(filePath: "/proc/self/exe"), options: .mappedIfSafe)
    let head = Data(whole.prefix(1 << 16))
    for size in [0, 5, 63, 64, 100, 4096, head.count] {
      head.prefix(size).withUnsafeBytes { bytes in
        let image = ELFFile(bytes)
        #expect((image == nil) == (size < 64))
        #expect(image?.defines("main") != true)
      }
    }
    for place in 6..<64 {
      var changed = head
      changed[place] = 0xFF
      changed.withUnsafeBytes { bytes in
        let image = ELFFile(bytes)
        #expect(image?.hasSection(".none") != true)
        #expect(image?.loader?.contains("none") != true)
      }
    }
    let script = Data("#!/bin/sh\n".utf8) + Data(count: 100)
    #expect(script.withUnsafeBytes { ELFFile($0) == nil })
  }
}
