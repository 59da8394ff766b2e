// report.pdf: the report's page, printed by the shell; what is on it is report.html's matter.
import { EngineError } from '../../base/errors'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import { reportOf } from './report'

export async function writeReportPdf(job: ExportJob, out: OutputFile): Promise<void> {
  const { tools, signal } = job
  const failed = (why: string): EngineError => new EngineError('OUTPUT_FAILED', `report.pdf could not be printed: ${why}.`)
  if (!tools.print) throw failed('this program cannot print')
  const page = await reportOf(job)
  signal.throwIfAborted()
  const pdf = await tools.print(page, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw failed(error instanceof Error ? error.message : String(error))
  })
  if (Buffer.from(pdf.buffer, pdf.byteOffset, 5).toString('latin1') !== '%PDF-') throw failed('what was printed is no PDF')
  await out.append(pdf)
}
