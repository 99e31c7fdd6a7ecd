// Asks the JSON service of VS Code about a document. Reads {schema, text, offset} on standard input, `schema` being the path of a
// schema file; writes {problems, completions: {label: documentation}, hover}.
import { getLanguageService } from 'vscode-json-languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { readFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const { schema, text, offset } = JSON.parse(readFileSync(0, 'utf8'))
const service = getLanguageService({
  // files alone: a request for anything else fails, as it does without a network
  schemaRequestService: (uri) => readFile(fileURLToPath(uri), 'utf8'),
  workspaceContext: { resolveRelativePath: (path, resource) => new URL(path, resource).href },
})
service.configure({ validate: true, schemas: [{ fileMatch: ['*.json'], uri: pathToFileURL(schema).href }] })

const document = TextDocument.create('file:///document.json', 'json', 1, text)
const parsed = service.parseJSONDocument(document)
const position = document.positionAt(offset)
const problems = await service.doValidation(document, parsed)
const completed = await service.doComplete(document, position, parsed)
const hover = await service.doHover(document, position, parsed)
const said = (content) => (typeof content === 'string' ? content : (content?.value ?? ''))
process.stdout.write(
  JSON.stringify({
    problems: problems.map((problem) => problem.message),
    completions: Object.fromEntries((completed?.items ?? []).map((item) => [item.label, said(item.documentation)])),
    hover: [hover?.contents ?? []].flat().map(said).join('\n'),
  }),
)
