class Crdgen < Formula
  desc "Check, document and generate Kubernetes CustomResourceDefinitions offline"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/crdgen-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/crdgen-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/crdgen-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/crdgen-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "crdgen"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/crdgen.bash" => "crdgen"
    zsh_completion.install "completions/_crdgen"
    fish_completion.install "completions/crdgen.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/crdgen --version")
  end
end
