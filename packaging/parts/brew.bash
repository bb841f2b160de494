# shellcheck shell=bash
# A Homebrew formula for the tar archive. Sourced by packaging/build.

make_brew() {
    local sum system=linux processor=intel
    [[ $target != macos-* ]] || system=macos
    [[ $target != *-arm64 ]] || processor=arm
    sum=$(sha256sum <"$out/$name.tar.gz")
    cat >"$out/fusebox.rb" <<END
class Fusebox < Formula
  desc "Circuit-breaking gateway for MCP servers"
  homepage "$url"
  version "$version"
  license "Apache-2.0"

  on_$system do
    on_$processor do
      url "$url/$name.tar.gz"
      sha256 "${sum%% *}"
    end
  end

  # The AOT caches depend on the times of the jars.
  skip_clean "libexec"

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/fusebox"
  end

  def post_install
    system bin/"fusebox", "prepare"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/fusebox version")
  end
end
END
}
