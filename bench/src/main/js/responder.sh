#!/bin/sh
# Answers initialize, and nothing else. Starts within two milliseconds.
while IFS= read -r line; do
    case $line in
        *'"method":"initialize"'*)
            id=${line#*\"id\":}
            printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}\n' "${id%%[,\}]*}"
            ;;
    esac
done
