import ThreadmillDetection
import ThreadmillModel

extension [LockOrderGraph.Verdict] {
  var findings: [Finding] {
    compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
  }

  var watched: [[LockID]] {
    compactMap { if case .watch(let locks) = $0 { locks } else { nil } }
  }
}
