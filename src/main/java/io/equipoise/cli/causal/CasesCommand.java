package io.equipoise.cli.causal;

import io.equipoise.cli.causal.cases.CaseFile;
import io.equipoise.cli.causal.cases.CaseRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code causal cases}. */
@Command(
    name = "cases",
    mixinStandardHelpOptions = true,
    description = {
      "Answers every case of a file and compares the answers with the expected ones.",
      "Exit code 0 if all cases could be answered, even if differently; 1 if some could not."
    })
final class CasesCommand extends CausalQuestion {
  @Parameters(paramLabel = "FILE", description = "A JSON file of cases.")
  private Path file = Path.of("");

  @Override
  Answer answer() throws IOException {
    List<CaseRow> rows = CaseFile.read(file).rows();
    long right = rows.stream().filter(CaseRow::ok).count();
    long failed = rows.stream().filter(row -> row.error() != null).count();
    List<String> lines = new ArrayList<>();
    for (CaseRow row : rows) {
      if (!row.ok()) {
        lines.add(
            row.error() == null
                ? row.id() + ": expected " + row.expected() + ", got " + row.got()
                : row.id() + ": " + row.error());
      }
    }
    lines.add(right + " of " + rows.size() + " as expected");
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rows", rows);
    json.put("ok", right);
    json.put("total", rows.size());
    return new Answer(lines, json, failed == 0 ? 0 : 1);
  }
}
