# Everything that people run. Set-up is part of each target.
target := $(or $(CARGO_TARGET_DIR),target)
game := assets/games/lantern-keep

help:
	@echo "make play    plays the sample game"
	@echo "make test    runs all tests"
	@echo "make fuzz    looks for faults of the language for an hour, or MINUTES=10"
	@echo "make bench   measures scripts beside Lua, and calls over the socket of a running game"
	@echo "make docs    prints the reference pages from the code"
	@echo "make deny    checks the dependencies (needs cargo-deny)"

play:
	@bash .ci/setup
	cargo build --release -p skywalker-player -p skywalker
	@bash .ci/play "$(target)/release" $(game)

test:
	@bash .ci/setup
	cargo test --workspace
	cargo test -q --release -p wander --test language_suite determinism
	python3 assets/games/lantern-keep/art/make_sounds.py --check
	cargo run -q -p tests --bin scripts -- --guard
	cargo run -q -p tests --bin templates -- --guard
	cargo build -p skywalker-player -p skywalker
	@bash tests/clients/run "$(abspath $(target))/debug"

fuzz:
	@bash .ci/setup
	FUZZ_MINUTES=$(or $(MINUTES),60) cargo test -p wander --test fuzz -- --nocapture

bench:
	@bash .ci/setup
	cargo build --release -p skywalker-player -p tests
	"$(target)/release/scripts"
	"$(target)/release/templates"
	"$(target)/release/roundtrip" "$(target)/release"
	xvfb-run -a "$(target)/release/roundtrip" "$(target)/release" --window

docs:
	UPDATE_EXPECT=1 cargo test -p tools -p project reference

deny:
	cargo deny check

.PHONY: help play test fuzz bench docs deny
