// The system's own place for what this program keeps of its user.
import envPaths from 'env-paths'

export function userFolder(): string {
  return envPaths('morphoscope', { suffix: '' }).config
}
