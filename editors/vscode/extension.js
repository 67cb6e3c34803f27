// Starts `rulesdsl lsp` and adds the commands that need an editor: preview, terminal, input boxes.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function here() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error("no file is open");
  return { uri: editor.document.uri.toString(), line: editor.selection.active.line + 1, editor };
}

async function ask(command, ...given) {
  return client.sendRequest("workspace/executeCommand", { command: `rulesdsl.${command}`, arguments: given });
}

async function preview() {
  const { uri, line } = here();
  const text = await ask("showParagraph", uri, line);
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
}

async function play() {
  const { uri, editor } = here();
  const game = await ask("game", uri);
  const house = editor.document.fileName.includes("/house/") ? ` --house "${editor.document.fileName}"` : "";
  const terminal = vscode.window.createTerminal("rulesdsl play");
  terminal.show();
  terminal.sendText(`rulesdsl play "${game}"${house}`);
}

async function toHouseRule() {
  const title = await vscode.window.showInputBox({ prompt: "The title of the house rule" });
  if (title) await ask("houseRuleOfChanges", here().uri, title);
}

function activate(context) {
  const settings = vscode.workspace.getConfiguration("rulesdsl");
  const [command, ...args] = settings.get("command");
  const game = settings.get("game");
  const server = { command, args: game ? [...args, "--game", game] : args, transport: TransportKind.stdio };
  client = new LanguageClient("rulesdsl", "rulesdsl", server, {
    documentSelector: [
      { scheme: "file", language: "markdown" },
      { scheme: "file", language: "yaml", pattern: "**/{game,map,pieces,drawing}.yaml" },
      { scheme: "file", language: "yaml", pattern: "**/{tables,scenarios}/*.yaml" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{md,yaml}") },
  });
  for (const [name, run] of [
    ["preview", preview],
    ["runExampleHere", () => ask("runExample", here().uri, here().line)],
    ["play", play],
    ["toHouseRule", toHouseRule],
  ]) {
    context.subscriptions.push(vscode.commands.registerCommand(`rulesdsl.${name}`, async () => {
      try {
        await run();
      } catch (error) {
        vscode.window.showErrorMessage(`rulesdsl: ${error.message}`);
      }
    }));
  }
  client.start();
  context.subscriptions.push(client);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
