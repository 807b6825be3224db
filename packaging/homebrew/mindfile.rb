# packaging/build formula fills in the version and the checksums.
class Mindfile < Formula
  desc "Plain-Markdown memory for AI agents"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/mindfile-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA_aarch64-apple-darwin@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/mindfile-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA_x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/mindfile-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA_aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/mindfile-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA_x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "mindfile"
    generate_completions_from_executable(bin/"mindfile", "completions")
  end

  test do
    assert_match "Now yours", shell_output("#{bin}/mindfile demo")
  end
end
