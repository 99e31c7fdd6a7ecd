// The same as loop.py with ajv: node loop.mjs MODULES SCHEMA PATH, where MODULES is the folder that ajv is installed in.
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [modules, schema, path] = process.argv.slice(2)
const need = createRequire(join(modules, 'anything.js'))
const Ajv2020 = need('ajv/dist/2020').default
const addFormats = need('ajv-formats').default

const ajv = new Ajv2020({ strict: false })
addFormats(ajv)
const isValid = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')))
let bad = 0
const check = (text) => { if (!isValid(JSON.parse(text))) bad += 1 }

if (statSync(path).isDirectory()) {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) check(readFileSync(join(entry.path, entry.name), 'utf8'))
  }
} else if (path.endsWith('.jsonl')) {
  for await (const line of createInterface({ input: createReadStream(path) })) check(line)
} else {
  check(readFileSync(path, 'utf8'))
}
process.exitCode = bad ? 1 : 0
