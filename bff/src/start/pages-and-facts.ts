import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConfigAnswer } from '../../contract/config.ts';
import type { Sql } from '../core/database/database.ts';
import { imagesAtCloudinary } from '../core/http/images/cloudinary.ts';
import type { ImageHost } from '../core/http/images/image-host.ts';
import { imagesInPostgres } from '../core/http/images/in-postgres.ts';
import type { PublicFacts } from '../core/http/shop/public-facts.ts';
import {
  adminContentSecurityPolicy,
  cloudinaryFolder,
  contentSecurityPolicy,
} from '../core/http/site/content-security-policy.ts';
import type { Pages } from '../core/http/site/pages.ts';
import { loadRenderers } from '../core/http/site/render-home.ts';
import type { Logger } from '../core/runtime/logger.ts';
import type { Environment } from './env.ts';

const builtFrontend = fileURLToPath(new URL('../../../build/frontend', import.meta.url));

export function pagesOf({ square, cloudinary }: Environment, facts: PublicFacts, log: Logger): Pages {
  const { scriptUrl } = facts.config.square;
  const { parentOrigins, abConversionUrl } = facts.config;
  const folder = cloudinary && cloudinaryFolder(cloudinary.cloudName);
  const images = () => ({ addresses: Object.values(facts.settings().addOnImages), folder });
  const root = currentBuild();
  return {
    root,
    data: () => ({ config: facts.currentConfig(), settings: facts.settings() }),
    ...loadRenderers(root, (error) => log.error({ err: error }, 'rendering the home page failed')),
    contentSecurityPolicy: (inlineScripts) =>
      contentSecurityPolicy({
        environment: square.environment,
        scriptOrigin: new URL(scriptUrl).origin,
        parentOrigins,
        abConversionUrl,
        images: images(),
        inlineScripts,
      }),
    adminContentSecurityPolicy: (nonce, inlineScripts) =>
      adminContentSecurityPolicy(nonce, { images: images(), inlineScripts }),
  };
}

/** @returns the folder that the link names now. A later build changes the link and not this folder. */
function currentBuild(): string {
  return existsSync(builtFrontend) ? realpathSync(builtFrontend) : builtFrontend;
}

export function openImageHost({ cloudinary }: Environment, sql: Sql): ImageHost {
  return cloudinary === undefined ? imagesInPostgres(sql) : imagesAtCloudinary(cloudinary);
}

export function publicConfig(
  environment: Environment,
  scriptUrl: string,
  demoOrigins: readonly string[],
): ConfigAnswer {
  const { square, embedding, business } = environment;
  return {
    square: {
      applicationId: square.applicationId,
      locationId: square.locationId,
      environment: square.environment,
      scriptUrl,
    },
    parentOrigins: embedding.parentOrigins ?? demoOrigins,
    abConversionUrl: embedding.abConversionUrl ?? null,
    checkoutTopLevel: embedding.checkoutTopLevel,
    business: {
      ...business,
      dropOffSites: [
        { name: 'West LA', note: 'by appointment only' },
        { name: 'Valley', note: 'walk-ins welcome' },
      ],
    },
  };
}
