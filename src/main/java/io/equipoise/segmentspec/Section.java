package io.equipoise.segmentspec;

import io.equipoise.segmentspec.KeyType.Bounds;
import io.equipoise.segmentspec.KeyType.ValueKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a mapping of the text. Types, bounds, words and defaults of its keys come from {@link
 * SpecKeys}.
 *
 * <p>A method that reads a key reports a fault if the value is not allowed or a required key is
 * missing. It then returns null, NaN, 0 or false, and {@link #isSound} returns false: a reader
 * reads all keys and drops what it has read if the section is not sound. Soundness is derived from
 * the number of faults of the whole text, so one thread reads one section after the other.
 */
public final class Section {
  private static final SpecKeys.Keys NAMES = new SpecKeys.Keys("", false, "", Map.of());

  private final Field field;
  private final Map<String, Field> fields;
  private final SpecKeys table;
  private final SpecKeys.Keys keys;
  private final String policy;
  private final Set<String> missing = new HashSet<>();
  private final boolean isRejected;
  private final int faultsBefore;

  /** Reads a mapping whose keys are names. */
  public static Section ofNames(Field field) {
    return new Section(field, field.entries(), SpecKeys.core(), NAMES, "");
  }

  /** Reads a mapping of a type, which may bound the number of names. */
  private static Section ofNames(Field field, KeyType type) {
    Section section = ofNames(field);
    Bounds size = type.bounds();
    if (section.isMapping() && size != null && !size.containsWhole(section.fields.size())) {
      field.fault(section.fields.size() + " keys", "a mapping of" + size.count() + " names");
    }
    return section;
  }

  /** Reads a mapping of the keys of a section that does not depend on a policy. */
  static Section of(Field field, String section) {
    SpecKeys core = SpecKeys.core();
    return new Section(field, field.entries(), core, core.section(section), "");
  }

  /** Returns the section {@code policy} with the keys that the family of a policy declares. */
  Section ofPolicy(SpecKeys family, String name) {
    return new Section(field, fields, family, family.section(SpecKeys.POLICY), name);
  }

  /** Reads a mapping inside this section, such as an item of a list. */
  public Section inner(Field inside, String section) {
    return new Section(inside, inside.entries(), table, table.section(section), policy);
  }

  private Section(
      Field field, Map<String, Field> fields, SpecKeys table, SpecKeys.Keys keys, String policy) {
    this.field = field;
    this.fields = fields;
    this.table = table;
    this.keys = keys;
    this.policy = policy;
    if (!keys.section().isEmpty() && !keys.isOpen()) {
      refuseOthers(keys.rows().keySet(), keys.names());
    }
    isRejected = isOneRejected();
    faultsBefore = field.faults().count();
    if (keys.isOneKey() && isMapping() && fields.size() != 1) {
      field.fault(fields.size() + " keys", "exactly one of " + String.join(", ", keys.names()));
    }
  }

  /** Reports and removes keys that are rejected or that only another policy has. */
  private boolean isOneRejected() {
    boolean isRejected = false;
    for (SpecKey row : keys.rows().values()) {
      Field found = fields.get(row.name());
      if (found == null) {
        continue;
      }
      if (row.isRejected()) {
        found.fault("no " + row.name() + ": " + row.meaning());
        isRejected = true;
      } else if (!row.isOf(policy)) {
        found.fault(
            "no %s with %s: it is a key of %s. %s"
                .formatted(row.name(), policy, String.join(", ", row.only()), row.meaning()));
        fields.remove(row.name());
      }
    }
    return isRejected;
  }

  /** Returns the mapping itself. */
  public Field field() {
    return field;
  }

  /** Returns the fields by key, in the order of the text. */
  public Map<String, Field> fields() {
    return fields;
  }

  /** Returns whether there is a mapping; if not, a fault was reported. */
  public boolean isMapping() {
    return field.isMapping();
  }

  /** Returns whether a key is given that no policy of the family takes. */
  public boolean isRejected() {
    return isRejected;
  }

  /**
   * Returns whether this is a mapping and no fault was reported since its keys were checked.
   * Unknown keys do not count: the known ones can be read.
   */
  public boolean isSound() {
    return isMapping() && field.faults().count() == faultsBefore;
  }

  Collection<String> names() {
    return keys.names();
  }

  /** Reports every key that is not among these. */
  public void refuseOthers(Collection<String> allowed) {
    refuseOthers(allowed, allowed);
  }

  private void refuseOthers(Collection<String> known, Collection<String> allowed) {
    fields.forEach(
        (key, value) -> {
          if (!known.contains(key)) {
            value.fault("the key " + SpecFaults.shown(key), Nearest.oneOf(key, allowed));
          }
        });
  }

  private SpecKey row(String key) {
    SpecKey row = keys.rows().get(key);
    if (row == null) {
      throw new IllegalStateException(
          "the section "
              + keys.section()
              + " declares no key "
              + key
              + "; add a line to its table");
    }
    return row;
  }

  /** Returns what the alternatives of a key allow. */
  private String allowed(SpecKey row) {
    List<String> phrases = new ArrayList<>();
    for (KeyType type : row.types()) {
      boolean isOneKey =
          type.kind() == ValueKind.SECTION
              && !type.section().equals(SpecKeys.POLICY)
              && table.section(type.section()).isOneKey();
      List<String> names = isOneKey ? table.section(type.section()).names() : List.of();
      phrases.add(type.phrase() + (isOneKey ? " with one of " + String.join(", ", names) : ""));
    }
    return String.join(", or ", phrases);
  }

  /** Returns the greatest number that a key may have. */
  double most(String key) {
    Bounds bounds = type(key, ValueKind.NUMBER).bounds();
    return bounds == null || bounds.isUnlimited()
        ? Double.POSITIVE_INFINITY
        : Double.parseDouble(bounds.high());
  }

  private KeyType type(String key, ValueKind kind) {
    KeyType type = row(key).as(kind);
    if (type == null) {
      throw new IllegalStateException(
          "the key " + key + " of " + keys.section() + " is not declared as " + kind);
    }
    return type;
  }

  /** Returns a field, or null if it is left out; that is a fault if the key is required. */
  public @Nullable Field get(String key) {
    SpecKey row = row(key);
    Field found = fields.get(key);
    if (found == null && row.isRequired(policy) && row.isOf(policy)) {
      require(key, "required: " + allowed(row) + ". " + row.meaning());
    }
    return found;
  }

  /** Reports a fault if a key is left out that is required only here; once for each key. */
  public void require(String key, String allowed) {
    if (isMapping() && !fields.containsKey(key) && missing.add(key)) {
      field.faults().add(field.pathOf(key), field.line(), "nothing", allowed);
    }
  }

  private <T> @Nullable T read(
      String key,
      ValueKind kind,
      BiFunction<Field, KeyType, @Nullable T> reader,
      @Nullable T otherwise) {
    KeyType type = type(key, kind);
    Field given = get(key);
    return given == null ? otherwise : reader.apply(given, type);
  }

  /** Returns a number; NaN after a fault, and if the key is left out and has no default. */
  public double number(String key) {
    String literal = row(key).literal();
    boolean isNumber = literal != null && Field.NUMBER.matcher(literal).matches();
    return number(key, isNumber ? Double.parseDouble(literal) : Double.NaN);
  }

  /** Returns a number, or another one if the key is left out; NaN after a fault. */
  public double number(String key, double otherwise) {
    Double value =
        read(
            key,
            ValueKind.NUMBER,
            (given, type) -> given.number(allowed(row(key)), type.bounds()),
            Double.valueOf(otherwise));
    return value == null ? Double.NaN : value;
  }

  /** Returns a number; null after a fault and if the key is left out. */
  public @Nullable Double optionalNumber(String key) {
    double value = number(key, Double.NaN);
    return Double.isNaN(value) ? null : value;
  }

  /** Returns a whole number; 0 after a fault, and if the key is left out and has no default. */
  public long whole(String key) {
    String literal = row(key).literal();
    return whole(key, literal == null ? 0 : Long.parseLong(literal));
  }

  /** Returns a whole number, or another one if the key is left out; 0 after a fault. */
  public long whole(String key, long otherwise) {
    Long value = read(key, ValueKind.WHOLE, Field::whole, otherwise);
    return value == null ? 0 : value;
  }

  /** Returns a flag; false after a fault. */
  public boolean flag(String key) {
    return Boolean.TRUE.equals(
        read(
            key, ValueKind.FLAG, (given, type) -> given.flag(), "true".equals(row(key).literal())));
  }

  /** Returns a duration, or another one if the key is left out; null after a fault. */
  public @Nullable Duration duration(String key, @Nullable Duration otherwise) {
    return read(key, ValueKind.DURATION, Field::duration, otherwise);
  }

  /** Returns the constant of a word or of the default; null after a fault, and without either. */
  public <E extends Enum<E>> @Nullable E word(String key, Class<E> constants) {
    String literal = row(key).literal();
    return word(key, constants, literal == null ? null : Field.constant(constants, literal));
  }

  /** Returns the constant of a word, or another one if the key is left out; null after a fault. */
  public <E extends Enum<E>> @Nullable E word(
      String key, Class<E> constants, @Nullable E otherwise) {
    return read(
        key,
        ValueKind.WORD,
        (given, type) -> given.word(type, allowed(row(key)), constants),
        otherwise);
  }

  /** Returns a text; null after a fault and if the key is left out. */
  public @Nullable String text(String key) {
    ValueKind kind = row(key).as(ValueKind.TEXT) == null ? ValueKind.NAME : ValueKind.TEXT;
    return read(key, kind, (given, type) -> given.text(type), null);
  }

  /** Returns the numbers {@code [low, high]}; null after a fault and if the key is left out. */
  public @Nullable NumberRange range(String key) {
    return read(key, ValueKind.RANGE, Field::range, null);
  }

  /** Returns the items of a list; none if it is left out, and after a fault in their number. */
  public List<Field> items(String key) {
    return Objects.requireNonNull(read(key, ValueKind.LIST, Field::items, List.<Field>of()));
  }

  /** Returns the names of a list, without those that are refused: others, and repetitions. */
  public List<String> variables(String key, List<String> allowed) {
    List<String> names = new ArrayList<>();
    for (Field item : items(key)) {
      String name = item.text();
      if (name != null && !allowed.contains(name)) {
        item.fault(Nearest.oneOf(name, allowed));
      } else if (name != null && names.contains(name)) {
        item.fault("every variable once");
      } else if (name != null) {
        names.add(name);
      }
    }
    return List.copyOf(names);
  }

  /** Returns the type of the items of a list or of the values of a map. */
  public KeyType itemType(String key) {
    List<KeyType> types = row(key).types();
    return types.get(types.size() - 1).of().get(0);
  }

  /** Returns the mapping of names that a key has; null if the key is left out. */
  public @Nullable Section names(String key) {
    return read(key, ValueKind.MAP, Section::ofNames, null);
  }

  /** Returns the section that a key has; null if the key is left out. */
  public @Nullable Section section(String key) {
    return read(key, ValueKind.SECTION, (given, type) -> inner(given, type.section()), null);
  }

  /** Returns the section that a key has; if it is left out, one in which every key is. */
  public Section sectionOrDefaults(String key) {
    Section given = section(key);
    return given == null
        ? new Section(
            field, Map.of(), table, table.section(type(key, ValueKind.SECTION).section()), policy)
        : given;
  }

  /** Returns the only key and value; null unless the section has exactly one allowed key. */
  public Map.@Nullable Entry<String, Field> only() {
    Map.Entry<String, Field> only = fields.size() == 1 ? fields.entrySet().iterator().next() : null;
    return only == null || !keys.rows().containsKey(only.getKey()) ? null : only;
  }
}
