// Reads one schema on standard input, writes TypeScript types for it on standard output.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

// the generator is installed with the other Node tools
const tools = createRequire(new URL('../tests/node/package.json', import.meta.url))
const { compile } = await import(pathToFileURL(tools.resolve('json-schema-to-typescript')))

const { schema, banner } = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(
  await compile(schema, schema.title, {
    additionalProperties: true,
    bannerComment: banner,
    enableConstEnums: false,
    style: { printWidth: 120, semi: false, singleQuote: true },
  }),
)
