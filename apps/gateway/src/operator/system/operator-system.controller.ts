import { Get, Inject } from '@nestjs/common';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { roleEverywhere } from '../access/reach';
import { OperatorSystem } from './operator-system';
import { OperatorTransparency } from './operator-transparency';

/** The services, for those whose roles reach all workspaces, and the public log. */
@OperatorController()
export class OperatorSystemController {
  constructor(
    @Inject(OperatorSystem) private readonly system: OperatorSystem,
    @Inject(OperatorTransparency) private readonly transparency: OperatorTransparency,
  ) {}

  @Get('transparency')
  @Needs('read')
  readTransparency(): Promise<object> {
    return this.transparency.read();
  }

  @Get('system')
  @Needs('read')
  read(@Caller() operator: OperatorCaller): Promise<object> {
    roleEverywhere(operator, 'read');
    return this.system.read();
  }
}
