package io.equipoise.sql;

import io.equipoise.event.Wire;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Creates the format {@value #IDENTIFIER} of Flink SQL. It reads the topics of a deployment, whose
 * values are Avro in single-object encoding or, with a schema registry, in Confluent's format. The
 * tables of {@code deploy/sql} use it.
 */
public final class SingleObjectFormatFactory implements DeserializationFormatFactory {
  static final String IDENTIFIER = "avro-single-object";

  static final ConfigOption<String> RECORD =
      ConfigOptions.key("record")
          .stringType()
          .noDefaultValue()
          .withDescription("Name of the schema of the topic's records, for example Decision.");

  static final ConfigOption<Boolean> IGNORE_PARSE_ERRORS =
      ConfigOptions.key("ignore-parse-errors")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Skips values that are no such record instead of failing the query. The job writes"
                  + " those of contexts and rewards to the dead letters.");

  private static final String REGISTRY = "schema.registry.";

  static final ConfigOption<String> REGISTRY_URL =
      ConfigOptions.key(REGISTRY + "url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Schema registries, separated by commas; values in Confluent's format are read too."
                  + " TLS is that of the JVM.");

  static final ConfigOption<String> REGISTRY_BASIC_AUTH =
      ConfigOptions.key(REGISTRY + "basic.auth.user.info")
          .stringType()
          .noDefaultValue()
          .withDescription("USER:PASSWORD for the schema registry.");

  static final ConfigOption<String> REGISTRY_BEARER_TOKEN =
      ConfigOptions.key(REGISTRY + "bearer.auth.token")
          .stringType()
          .noDefaultValue()
          .withDescription("Token for the schema registry, instead of user and password.");

  /**
   * Returns the encoding of a record.
   *
   * @throws ValidationException if there is no record of this name
   */
  static Wire<?> wire(String record) {
    return Wire.ALL.stream()
        .filter(wire -> wire.schema().getName().equals(record))
        .findFirst()
        .orElseThrow(
            () ->
                new ValidationException(
                    "Option %s.%s is %s; allowed are %s"
                        .formatted(
                            IDENTIFIER,
                            RECORD.key(),
                            record,
                            Wire.ALL.stream().map(wire -> wire.schema().getName()).toList())));
  }

  @Override
  public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
      DynamicTableFactory.Context context, ReadableConfig options) {
    FactoryUtil.validateFactoryOptions(this, options);
    return new DecodingFormat<>() {
      @Override
      public DeserializationSchema<RowData> createRuntimeDecoder(
          DynamicTableSource.Context source, DataType columns) {
        return new SingleObjectDeserializer(
            source.createTypeInformation(columns),
            (RowType) columns.getLogicalType(),
            options.get(RECORD),
            options.get(IGNORE_PARSE_ERRORS),
            options
                .getOptional(REGISTRY_URL)
                .map(
                    url ->
                        new SingleObjectDeserializer.Registry(
                            url,
                            options.get(REGISTRY_BASIC_AUTH),
                            options.get(REGISTRY_BEARER_TOKEN)))
                .orElse(null));
      }

      @Override
      public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
      }
    };
  }

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(RECORD);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(IGNORE_PARSE_ERRORS, REGISTRY_URL, REGISTRY_BASIC_AUTH, REGISTRY_BEARER_TOKEN);
  }
}
