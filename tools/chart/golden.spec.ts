import { GOLDENS, goldenText, renderGolden, valuesOf } from './goldens';
import { itInFull } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

describeWithHelm.each(GOLDENS)('the chart with %s values', (golden) => {
  it('renders what is kept; `node tools/run.mjs tools/chart/render.ts --write` keeps what it renders now', () => {
    expect(renderGolden(helm, golden)).toEqual({ ok: true, text: goldenText(golden) });
  });

  itInFull('renders the same again', () => {
    expect(renderGolden(helm, golden)).toEqual(renderGolden(helm, golden));
  });

  it('passes `helm lint --strict`', () => {
    // The operator's Job gets its name by `kubectl create`, which helm reports as a fault; installed objects have none.
    expect(helm.lint({ files: [valuesOf(golden)], values: { operatorJob: { enabled: false } } })).toMatchObject({
      ok: true,
    });
  });
});
