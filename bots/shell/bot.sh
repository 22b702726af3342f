# A bot in POSIX shell: it places a follower when it can, else it takes a random legal action.
# It uses only what is built into the shell, for a submitted bot may not start other processes.

set -f # actions are no file patterns

choose() { # $@: the legal actions, each after an empty word or a comma; sets $action
  for action; do
    case $action in claim:*) return ;; esac
  done
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  shift $((seed / 65536 % ($# / 2) * 2 + 1))
  action=$1
}

field() { # $1: the name of a field with a number; sets $value
  value=${line#*"\"$1\":"}
  value=${value%%[,\}]*}
}

while read -r line; do
  case $line in
  '{"type":"hello"'*)
    echo '{"type":"ready","protocol":1}'
    ;;
  '{"type":"game"'*)
    field seed
    seed=$((value % 2147483648))
    ;;
  '{"type":"choose"'*)
    legal=${line#*'"legal":['}
    IFS='"'
    choose ${legal%%]*}
    unset IFS
    field id
    echo "{\"type\":\"action\",\"id\":$value,\"action\":\"$action\"}"
    ;;
  '{"type":"over"'*)
    exit
    ;;
  esac
done
