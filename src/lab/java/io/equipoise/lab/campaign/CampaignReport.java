package io.equipoise.lab.campaign;

import io.equipoise.lab.ModelText;
import io.equipoise.lab.campaign.RunResult.Count;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Prints the results of a campaign as a page in Markdown, and for machines. */
record CampaignReport(String command, String version, List<FamilyResult> families) {
  /** Offenders that the page names of each family; the JSON has all. */
  private static final int NAMED = 10;

  CampaignReport {
    families = List.copyOf(families);
  }

  boolean isBroken() {
    return families.stream().anyMatch(FamilyResult::isBroken);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("# Certificates against the truth");
    lines.add("");
    lines.add("Written by `" + command + "`, version " + version + ".");
    lines.add("");
    lines.add(
        "One run a world. Rates are runs with at least one such error, with the exact 95 %"
            + " interval. An interval is missed where the true effect lies outside; refused are"
            + " specs that `check` refuses. Delta is "
            + ModelText.number(CampaignTrial.DELTA)
            + ".");
    lines.add("");
    table(lines);
    for (FamilyResult family : families) {
      refusals(family, lines);
    }
    for (FamilyResult family : families) {
      offenders(family, lines);
    }
    lines.add("");
    lines.add("Verdicts with the guarantee ANYTIME that are wrong beyond delta: " + broken() + ".");
    lines.add("Intervals with that guarantee that miss the truth beyond delta: " + missing() + ".");
    return lines;
  }

  private String broken() {
    return names(FamilyResult::isBroken);
  }

  private String missing() {
    return names(
        family -> family.isAnytime() && family.rate(Count.MISSED).exceeds(CampaignTrial.DELTA));
  }

  private String names(Predicate<FamilyResult> which) {
    List<String> names =
        families.stream().filter(which).map(family -> family.family().wire()).toList();
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private void table(List<String> lines) {
    for (FamilyResult family : families) {
      Map<String, Object> row = family.row();
      if (family.equals(families.get(0))) {
        lines.add("| " + String.join(" | ", row.keySet()) + " |");
        lines.add("| --- | --- |" + " ---: |".repeat(row.size() - 2));
      }
      lines.add(
          "| " + String.join(" | ", row.values().stream().map(String::valueOf).toList()) + " |");
    }
  }

  private static void refusals(FamilyResult family, List<String> lines) {
    if (!family.refusals().isEmpty()) {
      lines.add("");
      lines.add("Refused of " + family.family().wire() + ":");
      lines.add("");
      family.refusals().forEach((reason, count) -> lines.add("- " + count + ": " + reason));
    }
  }

  private static void offenders(FamilyResult family, List<String> lines) {
    List<RunResult> offenders = family.offenders();
    if (offenders.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(
        "Wrong in %s: %d runs%s"
            .formatted(family.family().wire(), offenders.size(), biased(family)));
    lines.add("");
    for (RunResult offender : offenders.subList(0, Math.min(NAMED, offenders.size()))) {
      lines.add("- `" + family.command(offender) + "`: " + offender.firstFault());
    }
    if (offenders.size() > NAMED) {
      lines.add("- and " + (offenders.size() - NAMED) + " more, see `--json`");
    }
  }

  private static String biased(FamilyResult family) {
    return family.biased().isEmpty()
        ? ""
        : "; wrong also under most other people: seeds " + family.biased();
  }

  /** Returns the fields of the JSON: rows, and every violation with its command. */
  Map<String, Object> json() {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Map<String, Object>> offenders = new ArrayList<>();
    for (FamilyResult family : families) {
      Map<String, Object> row = family.row();
      row.put("refusals", family.refusals());
      row.put("biased", family.biased());
      row.put("broken", family.isBroken());
      rows.add(row);
      for (RunResult offender : family.offenders()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("family", family.family().wire());
        one.put("command", family.command(offender));
        one.put("first", String.valueOf(offender.firstFault()));
        one.put("falseCertificates", offender.get(Count.FALSE_CERTIFIED));
        one.put("falseUnfair", offender.get(Count.FALSE_UNFAIR));
        one.put("missed", offender.get(Count.MISSED));
        offenders.add(one);
      }
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("command", command);
    json.put("version", version);
    json.put("delta", CampaignTrial.DELTA);
    json.put("families", rows);
    json.put("offenders", offenders);
    json.put("broken", isBroken());
    return json;
  }
}
