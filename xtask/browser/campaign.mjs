// A campaign on this machine: its files, the service, and a crowd that answers.

import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STOPS = `label,name,lat,lng
quay,Quay,53.5445,9.9660
mill,Mill Lane,53.5510,9.9780
hill,Hill Top,53.5590,9.9930
gate,East Gate,53.5475,9.9990
dock,Dry Dock,53.5400,9.9835
park,City Park,53.5625,9.9740
fair,Fairground,53.5555,9.9625
pier,Long Pier,53.5420,9.9540
`;

/// A campaign whose rounds close with `enough` answers or after `openFor`.
function campaignFile({ openFor, quorum, enough, port, operatorPort }) {
  return `name = "Harbour city, spring"
universe = "stops.csv"
[asked]
clients = 30000
k = 4000
length = 3
epsilon = "5"
[rounds]
open_for = "${openFor}"
quorum = ${quorum}
${enough ? `enough = ${enough}` : ""}
[admission]
kind = "open"
[service]
listen = "127.0.0.1:${port ?? 0}"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:campaign.db"
operator = "127.0.0.1:${operatorPort ?? 0}"
`;
}

/// A service that runs, and can be stopped and started again at the same addresses.
export class Campaign {
  constructor(programs, folder, rules) {
    Object.assign(this, { programs, folder, rules });
    mkdirSync(folder);
    writeFileSync(join(folder, "stops.csv"), STOPS);
    execFileSync(programs.crowd, ["certificate", folder]);
  }

  async start() {
    writeFileSync(join(this.folder, "campaign.toml"), campaignFile(this.rules));
    const words = ["federate", "serve", "campaign.toml", "-o", "found", "--ledger", "ledger.sqlite"];
    this.service = spawn(this.programs.wayveil, words, { cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
    this.ended = new Promise((resolve) => this.service.once("exit", resolve));
    let said = "";
    await new Promise((resolve, reject) => {
      this.service.stderr.on("data", (data) => {
        said += data;
        if (/watch it at http:\S+\n/.test(said)) resolve();
      });
      this.ended.then((code) => reject(new Error(`the service ended with ${code}: ${said}`)));
    });
    this.url = said.match(/listening at (https:\S+)/)[1];
    this.operatorUrl = said.match(/watch it at (http:\S+)/)[1];
    this.rules.port = new URL(this.url).port;
    this.rules.operatorPort = new URL(this.operatorUrl).port;
  }

  async stop() {
    this.service.kill("SIGTERM");
    await this.ended;
  }

  /// Everybody answers; resolves when the campaign has ended.
  answer() {
    return new Promise((resolve, reject) => {
      const words = ["answer", this.url, join(this.folder, "cert.pem")];
      this.crowd = execFile(this.programs.crowd, words, { timeout: 600_000 }, (error, out) => {
        if (error) reject(error);
        else resolve(out.trim());
      });
    });
  }

  /// The status as the program tells it.
  status() {
    const words = ["federate", "status", this.url, "--root-certificate", "cert.pem", "--json"];
    return JSON.parse(execFileSync(this.programs.wayveil, words, { cwd: this.folder }));
  }

  /// Resolves when the release is written, which is a little after the campaign is complete.
  async published() {
    for (let tries = 0; tries < 240; tries += 1) {
      const { published } = this.status();
      if (published === "yes") return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`the release is not written: ${JSON.stringify(this.status())}`);
  }

  /// The places' names, none of which may be on a public page.
  static names() {
    return STOPS.trim().split("\n").slice(1).map((line) => line.split(",")[1]);
  }

  manifest() {
    return JSON.parse(readFileSync(join(this.folder, "found", "manifest.json"), "utf8"));
  }

  async end() {
    this.crowd?.kill();
    if (this.service && this.service.exitCode === null && this.service.signalCode === null) await this.stop();
  }
}
