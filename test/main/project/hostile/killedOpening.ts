// A process that ends, or stands still, while it opens a project.
import { noted } from '../../../../main/project/adoption'

const [directory = '', folder = '', signal = ''] = process.argv.slice(2)
await noted(directory, folder, () => process.kill(process.pid, signal))
