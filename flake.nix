{
  description = "Plain-Markdown memory for AI agents";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in {
      packages = forEach (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "mindfile";
          version = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          # The tests want a home, a terminal and loopback; .ci/run is where they run.
          doCheck = false;
          meta = {
            mainProgram = "mindfile";
            license = with pkgs.lib.licenses; [ mit asl20 ];
          };
        };
      });
      devShells = forEach (pkgs: { default = pkgs.mkShell { packages = with pkgs; [ cargo rustc clippy rustfmt ]; }; });
    };
}
