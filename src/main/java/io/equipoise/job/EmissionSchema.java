package io.equipoise.job;

import java.util.EnumMap;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Sends each emission to the topic it names; Kafka's hash of the key picks the partition. */
final class EmissionSchema implements KafkaRecordSerializationSchema<Emission> {
  private static final long serialVersionUID = 1L;

  private final EnumMap<Emission.Output, String> topics = new EnumMap<>(Emission.Output.class);

  private final LetterFit fit;
  private final LetterSeal seal;

  EmissionSchema(Topics names, LetterFit fit, LetterSeal seal) {
    this.fit = fit;
    this.seal = seal;
    for (Emission.Output output : Emission.Output.values()) {
      topics.put(output, output.in(names));
    }
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    seal.open();
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Emission given, KafkaSinkContext context, @Nullable Long timestamp) {
    Emission emission = seal.seal(fit.fit(given));
    return new ProducerRecord<>(topics.get(emission.output()), emission.key(), emission.value());
  }
}
