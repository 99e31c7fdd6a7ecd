// Judges documents with ajv in strict mode. Reads {schemas: {file name: schema}, documents: [[kind, document], ...]} on standard
// input, writes a list of true, false, or the message of what went wrong.
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'

const { schemas, documents } = JSON.parse(readFileSync(0, 'utf8'))
const ajv = new Ajv2020.default({ strict: true, allErrors: false })
addFormats.default(ajv)
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)

const verdicts = documents.map(([kind, document]) => {
  try {
    return ajv.getSchema(`${kind}.schema.json`)(document)
  } catch (error) {
    return String(error)
  }
})
process.stdout.write(JSON.stringify(verdicts))
