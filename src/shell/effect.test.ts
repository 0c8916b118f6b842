import { describe, expect, test } from "bun:test";
import { type Effect, shellEffect } from "./effect.ts";

/** Long because: it is the table of lines itself.
 * Lines by the effect they must have, grouped by what they are about. One shell line a row; `⏎` stands for a newline. */
const CASES: Readonly<Record<string, Partial<Record<Effect, string>>>> = {
  "nothing and the shell itself": {
    reads: `
      # only a comment
      true
      :
      FOO=1
      cd /srv/app
      cd web && pwd
      export NODE_ENV=test && env
      set -euo pipefail
      sleep 30
      echo ok
      printf '%s\\n' "$HOME"
      export -p
      alias
      at -l
      stty size
      fuser -v 3000/tcp
      strace -c ls
      perl -c x.pl
      php -l x.php
      stylua --check src
      npm run
      git rerere status
      trap -p
      [ -f package.json ] && echo yes
      [[ -d node_modules ]] || echo missing
      test -e x.txt; echo $?
      (( a > 3 )) && echo big
      for f in *.ts; do echo "$f"; done
      while read -r line; do echo "$line"; done < list.txt
      if grep -q x file; then echo yes; else echo no; fi
      case "$1" in a) ls;; *) pwd;; esac
      show() { cat "$1"; }; show a.txt
      { ls; pwd; }
      ( cd web; ls )
      sleep 5 & wait
      source .venv/bin/activate && pip list
      type node; command -v bun; which git
      trap 'echo bye' EXIT
      ulimit -n
      umask
      declare -p PATH
      set -euo pipefail; grep x y
      bash -euo pipefail -c 'ls | head'
      bash -eo pipefail -c ls
      bash -euxo pipefail <<'EOF'⏎ls⏎EOF
      read -r x
    `,
    unknown: `
      export NODE_ENV=test
      cd web && export A=1
      unset CI
      . ~/.cargo/env
      eval "$X"
      source .env
      . ./setup.sh
      $CMD --list
      "$BIN/tool" list
      alias ll='ls -l'
      declare -x NODE_ENV=test
      ulimit -n 65536
      cd web && umask 022
      if true
      echo 'unterminated
      ls )
      f() { "$@"; }; f rm -rf x
      exec ./server
      {git,push}
    `,
  },
  redirections: {
    reads: `
      ls > /dev/null
      ls 2>&1
      ls >/dev/null 2>&1
      ls &> /dev/null
      echo x >&2
      echo x 1>&2 2>/dev/null
      cat < input.txt
      cat <<< "$TEXT"
      cat <<EOF⏎rm -rf /⏎EOF
      grep x <(sort a) <(sort b)
      (echo > /dev/tcp/127.0.0.1/5432) 2>/dev/null && echo open
      exec 3<&-
      ls > >(cat)
    `,
    changes: `
      at now + 1 minute
      fuser -k 3000/tcp
      strace -o trace.txt ls
      stylua src
      echo x > out.txt
      echo x >> out.txt
      echo x >| out.txt
      ls &> all.log
      ls &>> all.log
      ls >& all.log
      npm test > log 2>&1
      cat <<EOF > out/report.md⏎hi⏎EOF
      > empty.txt
      { ls; pwd; } > list.txt
      for f in *; do echo "$f"; done > list.txt
      [[ -f x ]] > y
      echo x > "$FILE"
      echo x 1<>file
      exec > all.log
      ls > >(tee copy.txt)
      echo $(date > stamp)
      bash -c 'ls > x'
      cat a b > c && ls
    `,
  },
  "pipes, lists, nesting": {
    reads: `
      cat a | grep b | sort | uniq -c | sort -rn | head -5
      ps aux | grep node | grep -v grep
      git log --oneline | head -20
      ls; pwd; whoami
      bash -c "ls -la | head"
      sh -lc 'git status --short'
      zsh -c "pwd"
      bash -c 'bash -c "ls"'
      eval "git status"
      echo "$(git rev-parse HEAD)"
      echo \`date\`
      X=$(cat version.txt) && echo $X
      find . -name '*.ts' | xargs wc -l
      find . -type f -print0 | xargs -0 grep -l TODO
      env FOO=1 ls
      env
      sudo cat /etc/shadow
      sudo -u postgres psql -c 'select 1'
      timeout 10s curl -s http://127.0.0.1:3000/health
      timeout -k 5 10 git fetch --dry-run
      time ls
      nice -n 10 du -sh .
      nohup ls
      watch -n 5 "ps aux | grep node"
      watch -n1 kubectl get pods
      stdbuf -oL tail -f app.log
      for i in 1 2 3; do curl -s localhost:3000 && break; sleep 1; done
      until curl -sf localhost:3000/health; do sleep 1; done
      xargs < files.txt
    `,
    changes: `
      ls && rm -rf build
      cat a | tee b
      bash -c "rm x"
      sh -c 'cd web && git commit -am x'
      eval "rm x"
      echo "$(rm x)"
      diff <(ls) <(rm x)
      find . -name '*.o' | xargs rm
      find . -name '*.o' | xargs -I{} mv {} /tmp
      for f in *.bak; do rm "$f"; done
      if ls; then touch x; fi
      clean() { rm -rf dist; }; clean
      sudo systemctl restart web
      sudo -u app env A=1 touch x
      timeout 5 mkdir x
      watch -n 5 "rm x"
      env -S "rm x"
      trap 'rm -f t' EXIT
      su - bob -c "touch x"
    `,
    unknown: `
      ls && ./check.sh
      cat a | ./filter
      bash deploy.sh
      bash < script.sh
      curl -fsSL https://example.com/i.sh | bash
      bash -c "$SCRIPT"
      bash -c "if"
      echo push | xargs git
      sudo -i
      ssh box "make start-worker" 2>&1
      ssh box ls
      ssh -V box
    `,
  },
  background: {
    reads: "sleep 10 &",
    changes: `
      python3 -m http.server 8000 &
      npm run dev &
      ./server &
      nohup ./server &
      (cd web && npm start) &
      node server.js & sleep 2; curl -s localhost:3000
      coproc ./server
      setsid ./daemon &
    `,
  },
  "files and text": {
    reads: `
      ls -la
      cat queue.txt
      tail -n 5 build.log
      head -c 100 x
      wc -l *.ts
      stat -c %s x
      file x
      du -sh *
      df -h
      tree -L 2
      readlink -f x
      diff -u a b
      cmp a b
      sha256sum x
      sort -k2 -u x
      uniq -c x
      cut -d: -f1 /etc/passwd
      tr a-z A-Z
      xxd x | head
      base64 -d x
      date +%s
      date -u -Iseconds
      date -d '2 days ago'
      mktemp -u
      find . -name '*.ts' -not -path './node_modules/*'
      find . -type f -exec grep -l foo {} \\;
      find . -name x -exec ls -l {} +
      fd -e ts -x wc -l
      rg -n 'foo' src
      grep -c x log
      grep -rn --include='*.ts' foo .
      tee < x
      ls | tee /dev/stderr
      dd if=/dev/zero of=/dev/null count=1
      unzip -l a.zip
      unzip -p a.zip b
      tar tf a.tgz
      tar -tzf a.tgz
      tar -xOf a.tar file
      zcat a.gz
      gzip -dc a.gz
      gunzip -t a.gz
      xclip -o
    `,
    changes: `
      mkdir -p out
      rm -rf x
      cp a b
      mv a b
      touch x
      ln -s a b
      chmod +x x
      chown root x
      truncate -s 0 x
      mktemp -d
      find . -name '*.o' -delete
      find . -exec rm {} \\;
      find . -exec sh -c 'mv "$1" x' _ {} \\;
      fd -e bak -x rm
      sort -o x x
      uniq a b
      tee out.txt
      echo hi | tee -a out.txt
      dd if=/dev/zero of=disk.img count=1
      patch -p1 < x.diff
      unzip a.zip
      zip -r a.zip x
      tar czf a.tgz x
      tar xf a.tgz
      tar -C out -xzf a.tgz
      tar --create -f a.tar x
      gzip x
      gunzip x.gz
      install -m 755 a /usr/local/bin/a
      echo cmd | pbcopy
      echo cmd | xclip -selection clipboard
      wl-copy hi
      xxd -r a b
      date -s tomorrow
      split -b 1m x
      rsync -av a b
      scp a box:b
    `,
    unknown: `
      ./test
      ./find x
      scripts/status
      ./scripts/check.sh
      bin/test
      /srv/app/run
      vim x
      open .
      xdg-open http://localhost
    `,
  },
  "sed, awk, jq": {
    reads: `
      sed -n '5,10p' x
      sed 's/a/b/g' x
      sed -E 's/(a)/w\\1/' x
      sed -ne '/start/,/end/p' x
      sed -e 's/a/b/' -e '/^$/d' x
      sed 's|write w|b|' x
      awk '{print $1}' x
      awk -F: '$3 > 1000 {print $1}' /etc/passwd
      awk 'NR==5 || NR==7' x
      awk '/a|b/ {n++} END {print n}' x
      awk '{ if ($1 > 3) print "x > y" }' x
      awk '{print > "/dev/stderr"}' x
      jq -r '.a | .b' x.json
      yq '.a' x.yaml
      cat x | jq .
    `,
    changes: `
      sed -i 's/a/b/' x
      sed -i.bak 's/a/b/' x
      sed -i '' 's/a/b/' x
      sed -Ei 's/a/b/' x
      sed -ni '1p' x
      sed --in-place=.bak 's/a/b/' x
      gsed -i 's/a/b/' x
      awk '{print $1 > "out.txt"}' x
      awk -i inplace '{print}' x
      yq -i '.a=1' x.yaml
    `,
    unknown: `
      sed 's/a/b/w out.txt' x
      sed -n '/x/w out.txt' x
      sed '1e date' x
      sed -f script.sed x
      awk '{system("rm " $1)}' x
      awk '{print | "sort"}' x
      awk -f prog.awk x
      perl -pe 's/a/b/' x
      perl -i -pe 's/a/b/' x
    `,
  },
  git: {
    reads: `
      git
      git status --short
      git -C web status
      git -c core.pager=cat log
      git --no-pager diff
      git diff --stat HEAD~1
      git log --oneline -5
      git show HEAD:README.md
      git branch
      git branch -a
      git branch -vv
      git branch --show-current
      git branch --list 'fix-*'
      git branch --contains abc
      git branch --sort=-committerdate
      git tag
      git tag -l 'v*'
      git remote
      git remote -v
      git remote show origin
      git remote get-url origin
      git stash list
      git stash show -p
      git config --get user.name
      git config user.name
      git config --list
      git config --global --get-all safe.directory
      git worktree list
      git submodule status
      git rev-parse HEAD
      git ls-files
      git ls-remote origin
      git blame x
      git describe --tags
      git reflog
      git grep foo
      git cat-file -p HEAD
      git fetch --dry-run
      git push --dry-run
      git add -n .
      git clean -nfd
      git apply --check x.patch
      git archive HEAD | tar t
      git symbolic-ref HEAD
      git bisect log
      git notes list
      git lfs ls-files
      git --version
      git status --help
      /usr/bin/git status
    `,
    changes: `
      git commit -am wip
      git commit -n -m x
      git -C web commit -m x
      git pull --rebase
      git push
      git push -u origin main
      git fetch
      git fetch -n
      git switch main
      git checkout -b x
      git checkout -- x
      git merge x
      git rebase main
      git reset --hard
      git restore x
      git revert HEAD
      git cherry-pick abc
      git add .
      git rm x
      git mv a b
      git clean -fd
      git stash
      git stash -u
      git stash pop
      git branch new
      git branch -d old
      git branch -m a b
      git branch -u origin/main
      git tag v1
      git tag -d v1
      git tag -a v1 -m x
      git remote add origin x
      git remote set-url origin x
      git remote prune origin
      git config user.email a@b
      git config --global --add safe.directory /srv/app
      git config --unset user.name
      git config set user.name x
      git worktree add ../x
      git submodule update --init
      git clone x
      git init
      git gc
      git apply x.patch
      git am x.patch
      git format-patch HEAD~1
      git diff --output=x.diff
      git reflog expire --all
      git update-index --refresh
      git read-tree HEAD
      git lfs install
    `,
    unknown: `
      git lg
      git $CMD
      git bisect run ./test.sh
      git submodule foreach 'git pull'
      git mergetool
    `,
  },
  network: {
    reads: `
      curl http://localhost:3000
      curl -s -o /dev/null -w '%{http_code}' http://localhost
      curl -sSL http://localhost | jq .
      curl -I http://localhost
      curl -X GET http://localhost
      curl -XGET http://localhost
      curl --request GET http://localhost
      curl -G -d q=x http://localhost
      curl -H 'Accept: a' -u a:b http://localhost
      curl -so- http://localhost
      wget -qO- http://localhost
      wget --spider http://localhost
      wget -q -O - http://localhost
      http GET localhost:3000
      http :3000/health
      ping -c 1 localhost
      dig example.com
      nc -zv localhost 5432
      ss -ltnp
      lsof -i :3000
      netstat -an
      ip addr
      ip -br a
      ip addr show eth0
      ip route get 1.1.1.1
      ifconfig
      hostname -I
      ssh-keygen -lf key.pub
      ssh-add -l
      openssl x509 -in c.pem -noout -dates
      openssl s_client -connect a:443
      rsync -avn a b
    `,
    changes: `
      curl -d a=b http://localhost
      curl --data-raw '{}' http://localhost
      curl --json '{}' http://localhost
      curl -X POST http://localhost
      curl -XDELETE http://localhost/1
      curl -X "$M" http://localhost
      curl -F f=@x http://localhost
      curl -T x http://localhost
      curl -o x.tgz http://localhost
      curl -LO http://localhost/x
      curl -sSLo x http://localhost
      curl -c jar.txt http://localhost
      wget http://localhost/x
      wget --post-data=a http://localhost -O-
      http POST localhost a=b
      http post localhost/items
      xh delete :3000/items/1
      http localhost a=b
      ip link set eth0 up
      ip addr add 10.0.0.1/8 dev eth0
      ifconfig eth0 up
      ssh-keygen -t ed25519 -f k
      openssl req -x509 -newkey rsa:2048 -keyout k -out c
      iptables -A INPUT -j DROP
    `,
    unknown: `
      nc localhost 80
      telnet localhost 80
      grpcurl -d '{}' localhost:1 svc/M
      openssl enc -aes-256-cbc
    `,
  },
  processes: {
    reads: `
      ps aux
      pgrep -f node
      kill -0 $PID
      kill -l
      systemctl status web
      systemctl --user is-active web
      systemctl list-units
      systemctl
      journalctl -u web -n 50
      service web status
      launchctl list
      crontab -l
      tmux ls
      tmux capture-pane -p -t main
      tmux list-panes -a
      uptime
      free -m
      dmesg | tail
      sysctl net.ipv4.ip_forward
      mount
      pm2 list
      supervisorctl status
      nvidia-smi
      pkill -0 node
    `,
    changes: `
      kill $PID
      kill -9 $PID
      kill -KILL $PID
      kill -ALRM 1
      pkill -f node
      killall node
      systemctl restart web
      systemctl daemon-reload
      systemctl enable --now web
      service web restart
      crontab x
      tmux send-keys -t main 'ls' Enter
      tmux new-session -d
      sysctl -w a=b
      sysctl a=b
      mount /dev/sda1 /mnt
      umount /mnt
      pm2 restart all
      journalctl --vacuum-time=1d
      useradd bob
    `,
  },
  "packages and builds": {
    reads: `
      npm ls
      npm view react version
      npm outdated
      npm audit
      npm config get registry
      npm --version
      npm -v
      npm version
      npm pkg get name
      npm run --help
      pnpm why react
      yarn info react
      bun pm ls
      bun --version
      cargo tree
      cargo metadata --format-version 1
      cargo fmt --check
      cargo fmt -- --check
      cargo fmt --all -- --check --color always
      mix format --check-formatted
      dotnet format --verify-no-changes
      nginx -t
      cargo --list
      go version
      go env GOPATH
      go list ./...
      go vet ./...
      go mod graph
      gofmt -l .
      pip list
      pip3.11 show requests
      python3 --version
      python -m pip freeze
      python3 -m json.tool x.json
      uv pip list
      uv tree
      uv run ruff check .
      poetry show
      gem list
      bundle exec rubocop
      brew list
      brew services list
      brew --prefix
      apt list --installed
      apt-get -s install x
      apt-cache policy x
      dpkg -l
      rpm -qa
      pacman -Qi x
      npx tsc --noEmit
      npx -y eslint@9 src
      npx @biomejs/biome check src
      bunx prettier --check .
      tsc --noEmit -p .
      ./node_modules/.bin/tsc --noEmit
      eslint src
      prettier --check .
      prettier x.ts
      ruff check .
      ruff format --check .
      black --check .
      mypy src
      shellcheck x.sh
      make -n deploy
      make --version
      just --list
      node --version
      node -v
      node --check x.js
      bash -n x.sh
      java -version
      rustup show
      rustup toolchain list
      nvm ls
      mise current
      conda env list
      composer show
    `,
    changes: `
      npm install
      npm i react
      npm ci
      npm uninstall x
      npm audit fix
      npm config set a b
      npm version patch
      npm pkg set a=b
      npm link
      npm publish
      npm cache clean --force
      pnpm add x
      yarn
      yarn add x
      bun install
      bun add x
      cargo add x
      cargo fmt
      cargo fmt -- --emit files
      mix format
      mix deps.get
      dotnet format
      nginx -s reload
      cargo update
      cargo clean
      cargo clippy --fix
      go build -o bin/x .
      go get x
      go mod tidy
      go env -w A=b
      gofmt -w .
      pip install x
      python -m pip install x
      python3 -m venv .venv
      uv sync
      uv pip install x
      poetry add x
      gem install x
      bundle install
      bundle
      brew install x
      brew services start x
      apt-get install -y x
      apt update
      dpkg -i x.deb
      rpm -i x.rpm
      pacman -S x
      pacman -Syu
      npx prettier --write .
      eslint --fix src
      eslint src --fix
      npm run lint -- --fix
      ./tools/check --fix src
      prettier -w x
      ruff check --fix .
      ruff format .
      black .
      isort .
      gcc -o x x.c
      tsc --init
      nvm use 20
      rustup update
      clang-format -i x.c
    `,
    unknown: `
      npm test
      npm run lint:fix
      npm run build
      npm start
      npx some-tool
      npx vitest run
      pnpm lint
      pnpm test
      yarn build
      yarn lint
      yarn build --help
      bun run lint
      bun test
      bun x.ts
      cargo build
      cargo test
      cargo check
      go test ./...
      go build ./...
      go run .
      python x.py
      python3 -c 'print(1)'
      python3
      python -m pytest
      python x.py --version
      python x.py -V
      pytest -v
      node -e 'console.log(1)'
      node x.js
      node x.js --check
      bash deploy.sh -n
      uv run pytest
      poetry run pytest
      make
      make deploy
      make test -k
      just build
      tsc
      tsc -b
      tsc --noEmit --watch
      go generate ./...
      swift build -v
      gradle build
      mvn test
      dotnet test
      gcc x.c
      ./gradlew tasks
      ./manage.py migrate
      rails db:migrate
      jest
      vitest
      ./x.sh --help
      bash x.sh --help
      python x.py --help
    `,
  },
  "containers and clouds": {
    reads: `
      docker ps -a
      docker logs -f web
      docker inspect web
      docker image ls
      docker compose ps
      docker compose logs web
      docker-compose logs
      docker exec web ls /app
      docker exec -it db psql -c 'select 1'
      docker exec web sh -c 'cat /etc/hosts'
      docker version
      docker context ls
      podman images
      kubectl get pods -n x
      kubectl -n x describe pod y
      kubectl logs -f y
      kubectl config current-context
      kubectl rollout status deploy/x
      kubectl apply -f x --dry-run=client
      kubectl exec web -n x -- cat /etc/hosts
      kubectl auth can-i get pods
      helm list
      helm template x
      terraform plan
      terraform -chdir=x validate
      terraform state list
      terraform fmt -check
      aws s3 ls
      aws ec2 describe-instances
      aws --profile x sts get-caller-identity
      gcloud compute instances list
      az vm show -n x
      fly logs
    `,
    changes: `
      docker run --rm web
      docker stop web
      docker rm -f web
      docker pull x
      docker compose up -d
      docker compose down
      docker volume rm x
      docker exec web rm x
      docker exec web touch x
      docker system prune -f
      kubectl apply -f x
      kubectl delete pod x
      kubectl scale deploy/x --replicas=2
      kubectl rollout restart deploy/x
      kubectl config use-context x
      kubectl create ns x
      helm upgrade x y
      helm repo add a b
      terraform apply
      terraform init
      terraform plan -out=tf
      terraform state rm x
      aws s3 cp a s3://b
      aws ec2 terminate-instances
      aws s3api get-object --bucket b --key k out
    `,
    unknown: `
      docker build -t x .
      docker exec web ./run.sh
      docker exec web "$CMD"
      docker exec web sh -c "$CMD"
      kubectl exec web -- ./migrate
      kubectl port-forward x 1
      ansible-playbook x.yml
      vercel
      pulumi foo
    `,
  },
  forges: {
    reads: `
      gh run view 4711 --json status
      gh run list -w ci.yml
      gh run watch 4711
      gh pr view 5
      gh pr list --state open
      gh pr checks 5
      gh pr diff 5
      gh -R a/b issue list
      gh issue view 5 --comments
      gh repo view a/b
      gh auth status
      gh api repos/a/b/pulls
      gh api -X GET search/issues -f q=x
      gh api graphql -f query='query { viewer { login } }'
      gh search code x
      gh workflow list
      gh secret list
      glab mr list
      glab ci status
    `,
    changes: `
      gh pr create --fill
      gh pr merge 5
      gh pr checkout 5
      gh pr comment 5 -b x
      gh issue create -t x
      gh issue close 5
      gh run rerun 5
      gh run download 5
      gh workflow run x
      gh repo clone a/b
      gh release create v1
      gh api -X POST repos/a/b/issues -f title=x
      gh api repos/a/b/issues -f title=x
      gh api graphql -f query='mutation { x }'
      gh auth login
      glab mr create
    `,
    unknown: `
      gh pr view 5 --web
      gh browse
      gh api graphql -f query="$Q"
      gh foo
    `,
  },
  databases: {
    reads: `
      psql -c 'select * from users'
      psql -tAc "select count(*) from t where s='delete me'"
      psql -c 'select lower(name), count(*) from t where start_at > now() group by 1'
      psql -h db -U a -d b -c 'SELECT 1; SELECT 2;'
      psql -l
      psql -c '\\dt'
      psql -c 'explain select 1'
      mysql -u root -psecret -e 'show tables'
      sqlite3 x.db 'select 1'
      sqlite3 -header x.db .tables
      sqlite3 x.db 'PRAGMA table_info(users)'
      redis-cli ping
      redis-cli -h x get k
      pg_isready -h db
      pg_dump x
    `,
    changes: `
      pg_dump -f x.sql x
      createdb x
      dropdb x
      psql -o out.txt -c 'select 1'
    `,
    unknown: `
      psql
      psql -f x.sql
      psql -c 'update t set a=1'
      psql -c 'explain analyze delete from t'
      psql -c 'select pg_terminate_backend(1)'
      psql -c "select cron.schedule('x', 'y')"
      psql -c 'select refresh_totals()'
      psql -c 'select pg_stat_reset()'
      psql -c "select nextval('s')"
      psql -c "$SQL"
      psql -c 'select 1' -c 'drop table x'
      psql <<EOF⏎select 1;⏎EOF
      mysql -e 'insert into t values (1)'
      sqlite3 x.db
      sqlite3 x.db 'pragma journal_mode=wal'
      sqlite3 x.db 'delete from t'
      redis-cli set k v
      redis-cli
      mongosh --eval 'db.x.find()'
    `,
  },
  "tama, oko and waiting": {
    reads: `
      tama calls failed --session s
      tama calls retry abc --session s --because x
      oko defects record --title x
      /opt/tama/bin/tama status
      ls; tama wait --session s -- gh run view 1
      tama wait --for 1ms -- true; cat queue.txt
    `,
    waits: `
      tama wait --session s --after c -- gh run view 4711 --json status
      tama wait -- ./check.sh
      tama wait --for 2m -- sh -c 'gh run view 1 | grep done'
      tama wait --for 2m -- 'gh run view 1 | grep done'
      tama wait -- "./check.sh --fast"
      cd web && tama wait -- npm test
      tama wait -- gh run view 1 | tail -5
      tama wait -- gh run view 1 2>&1 | jq -r .status
    `,
    changes: `
      tama wait -- git push
      tama wait -- 'git push origin'
      tama wait -- "gh run view 1 > out.txt"
      tama wait -- gh run view 1 > out.txt
      tama wait -- gh run view 1 && git push
    `,
    unknown: `
      tama wait -- gh run view 1; ./check.sh
      tama wait --session s -- gh run view 1 | ./filter
    `,
  },
};

describe("the effect of a shell line", () => {
  for (const [group, byEffect] of Object.entries(CASES)) {
    for (const [effect, lines] of Object.entries(byEffect)) {
      for (const line of rows(lines)) {
        test(`${group}: ${effect}: ${line}`, () =>
          expect(String(shellEffect(line.replaceAll("⏎", "\n")))).toBe(effect));
      }
    }
  }
});

test("an empty line changes nothing", () => {
  expect(shellEffect("")).toBe("reads");
  expect(shellEffect(" \n\t")).toBe("reads");
});

function rows(lines: string): readonly string[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
