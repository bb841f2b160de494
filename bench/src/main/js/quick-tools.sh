#!/bin/sh
# A server with the tools of a file that starts within two milliseconds, so that the start of fifty servers does not
# dominate the measurement of the gateway.
#
# Arguments: a file whose only line is a JSON array of tools
IFS= read -r tools <"$1"
while IFS= read -r line; do
    case $line in *'"id":'*) ;; *) continue ;; esac
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
        *'"method":"initialize"'*)
            printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}}\n' "$id"
            ;;
        *'"method":"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":%s}}\n' "$id" "$tools" ;;
        *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}\n' "$id" ;;
    esac
done
