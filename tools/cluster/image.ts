import { join } from 'node:path';
import { buildImage, buildImageHere, saveImage } from '../images/build';
import { engine, engineName, runOptions } from '../images/engine';
import type { Kubernetes } from './kubernetes';

export const IMAGE = 'opendsr-service:cluster';
/** The same image under a second name: to a cluster, another one. */
export const NEXT_IMAGE = 'opendsr-service:next';

/** The image in the values of the chart. */
export async function imageValues(): Promise<Readonly<Record<string, string>>> {
  const [repository = '', tag = ''] = IMAGE.split(':');
  return { registry: await registryOf(), repository, tag, pullPolicy: 'Never' };
}

/** What a cluster calls an image of this machine's engine. */
export async function registryOf(): Promise<string> {
  return (await engineName()) === 'podman' ? 'localhost' : 'docker.io/library';
}

/** Builds the image of the working tree (with Docker: of the commit) and brings it into the cluster; `next`: under both names. */
export async function bringImage(cluster: Kubernetes, folder: string, next: boolean): Promise<void> {
  if ((await engineName()) === 'podman') await buildImageHere(IMAGE);
  else await buildImage({ tag: IMAGE, local: true });
  await bring(cluster, IMAGE, folder);
  if (!next) return;
  await engine('tag', IMAGE, NEXT_IMAGE);
  await bring(cluster, NEXT_IMAGE, folder);
}

async function bring(cluster: Kubernetes, image: string, folder: string): Promise<void> {
  const archive = join(folder, 'image.tar');
  await saveImage(image, archive);
  await cluster.loadImage(archive);
}

/** `docker` for the lines of a page, which run the image by its published name. */
export async function dockerFunction(): Promise<string> {
  const name = await engineName();
  return `docker() { local what="$1"; shift; command ${name} "$what" ${runOptions(name).join(' ')} "$@"; }`;
}
