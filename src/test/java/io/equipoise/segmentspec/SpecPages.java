package io.equipoise.segmentspec;

import io.equipoise.segmentspec.PolicySections.FamilyKeys;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the reference pages of segment specs from the tables of keys. */
final class SpecPages {
  private static final String HEADER =
      """
# Segment spec

Every key of a segment spec outside of its section `policy`: type, default and meaning. The keys of `policy` are on
[their own page](spec-policy.md). `equipoise check FILE` reports every error of a spec with its line. `equipoise check --schema` prints
a JSON Schema for editors; without policies from other jars it is [segment-spec.schema.json](segment-spec.schema.json). These pages and
the schema are written from the tables in `src/main/resources/spec-keys`, which the reader uses too.

* A spec is one YAML document of at most 1 MiB. Anchors, aliases, tags and directives are rejected, and so is a repeated or unknown key.
* `required` in the column "default" marks a key that must be present. Required keys of a section that is itself optional are required
  only where the section is present.
""";

  private static final String POLICY_HEADER =
      """
# The section policy

The keys under `policy` in a [segment spec](spec.md) depend on the family of the policy. [Policies](../policies/README.md) helps to choose
one. `required` in the column "default" marks a key that must be present.
""";

  private final StringBuilder page;

  private SpecPages(String header) {
    this.page = new StringBuilder(header);
  }

  /** Writes the page of the sections outside of {@code policy}. */
  static String spec() {
    SpecPages pages = new SpecPages(HEADER);
    SpecKeys.core().sections().stream()
        .filter(keys -> !isOfPolicy(keys))
        .forEach(keys -> pages.section(keys.section(), keys.intro(), keys));
    return pages.page.toString();
  }

  /** Writes the page of the section {@code policy}. */
  static String policy(List<FamilyKeys> families) {
    SpecPages pages = new SpecPages(POLICY_HEADER);
    for (FamilyKeys family : families) {
      for (SpecKeys.Keys keys : family.keys().sections()) {
        if (keys.section().equals(SpecKeys.POLICY)) {
          String policies = "For " + quoted(family.policies()) + ". ";
          pages.section("policy: " + family.family(), policies + keys.intro(), keys);
        } else {
          pages.section(keys.section(), keys.intro(), keys);
        }
      }
    }
    SpecKeys.core().sections().stream()
        .filter(SpecPages::isOfPolicy)
        .forEach(keys -> pages.section(keys.section(), keys.intro(), keys));
    return pages.page.toString();
  }

  private static boolean isOfPolicy(SpecKeys.Keys keys) {
    return keys.section().startsWith(SpecKeys.POLICY);
  }

  private void section(String title, String about, SpecKeys.Keys keys) {
    String oneKey = keys.isOneKey() ? "The mapping has exactly one of these keys. " : "";
    String intro = (oneKey + about).strip();
    page.append("\n### ").append(title).append("\n\n");
    page.append(intro).append(intro.isEmpty() ? "" : "\n\n");
    page.append("| key | type | default | meaning |\n| --- | --- | --- | --- |\n");
    for (SpecKey row : keys.rows().values()) {
      if (!row.isRejected()) {
        page.append("| `%s` | %s | %s | ".formatted(row.name(), types(row.types()), standard(row)));
        page.append(only(row)).append(row.meaning()).append(" |\n");
      }
    }
  }

  private static String only(SpecKey row) {
    return row.only().isEmpty() ? "" : "Only for " + quoted(row.only()) + ". ";
  }

  private static String standard(SpecKey row) {
    String literal = row.literal();
    if (literal != null) {
      return "`" + literal + "`";
    }
    if (row.standard().startsWith("required ")) {
      String policies = row.standard().substring("required ".length());
      return "required for " + quoted(List.of(policies.split(" ", -1))) + ", else none";
    }
    return row.standard().equals("-") ? "none" : row.standard().replaceFirst("~", "");
  }

  private static String types(List<KeyType> types) {
    return types.stream().map(SpecPages::type).collect(Collectors.joining(", or "));
  }

  private static String type(KeyType type) {
    String phrase = type.phrase().replaceFirst("^a ", "");
    return switch (type.kind()) {
      case WORD -> quoted(type.words());
      case SECTION ->
          "[mapping](%s#%s)"
              .formatted(
                  type.section().equals(SpecKeys.POLICY) ? "spec-policy.md" : "",
                  type.section().equals(SpecKeys.POLICY) ? "the-section-policy" : anchor(type));
      case LIST -> phrase + (type.bounds() == null ? " of " : ", each ") + types(type.of());
      case MAP -> phrase + " to " + types(type.of());
      case DURATION -> phrase.replace(" like 5s, 30m, 12h or 30d,", "");
      default -> phrase;
    };
  }

  private static String anchor(KeyType type) {
    return type.section().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "");
  }

  private static String quoted(List<String> words) {
    return words.stream().map(it -> "`" + it + "`").collect(Collectors.joining(", "));
  }
}
