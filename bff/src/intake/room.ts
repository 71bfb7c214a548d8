import type { SavedSettings } from '../core/queries/saved-settings.ts';
import type { Room } from '../core/room.ts';
import type { World } from '../core/use-case/world.ts';
import { serveDifferences } from './http/serve-differences.ts';
import { serveIntake } from './http/serve-intake.ts';
import { lettersOfIntake } from './mail/compose-intake.ts';

export type IntakeOptions = {
  readonly world: World;
  readonly settings: SavedSettings;
  readonly timeZone: string;
};

export function intake({ world, ...options }: IntakeOptions): Room {
  const { sql, now } = world;
  return {
    letters: lettersOfIntake(options.settings),
    serveShop: (shop) => serveDifferences(shop, { ...options, world, sql, now }),
    serve: ({ serve, securityOf, shopUrl }) => serveIntake(serve, { ...options, world, sql, now, securityOf, shopUrl }),
  };
}
