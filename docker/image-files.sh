#!/bin/sh
# Makes all files of the image but its base in a folder, from sources and installed packages of the working directory: the stage `build`
# of docker/Dockerfile, and what tools/images builds from where the packages are installed.
#   SOURCE_DATE_EPOCH=… sh docker/image-files.sh FOLDER
# The same sources and the same lockfile give the same files: nothing here knows the time, and the times of files are one constant.
set -eu
to="$1"

rm -rf dist/image
# In a folder of its own: a build of the apps beside it reads the console's.
export CONSOLE_DIST="$PWD/dist/console"
(cd apps/console && PATH="$PWD/../../node_modules/.bin:$PATH" vite build --outDir "$CONSOLE_DIST" --emptyOutDir --logLevel warn)
PATH="$PWD/node_modules/.bin:$PATH" rolldown --config rolldown.image.config.mjs --log-level warn
mkdir -p "$to/app" "$to/data"
cp -r dist/image/. docker/opendsr.mjs docker/bundle.mjs docker/healthy.mjs LICENSE "$to/app"
node_modules/node/bin/node docker/code-cache.mjs "$to/app"
cp -L node_modules/node/bin/node "$to/node"
cp node_modules/node/node_modules/node-linux-*/LICENSE "$to/app/LICENSE.node.txt"
chmod -R a=rX "$to/app"
chmod 555 "$to/node"
chmod 700 "$to/data"
find "$to" -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH:-0}" {} +
