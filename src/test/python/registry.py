"""Decodes lines TOPIC <tab> BASE64 with Confluent's client for Python, and prints TOPIC, id, segment and number of fields."""
import base64
import sys

try:
    from confluent_kafka.avro import CachedSchemaRegistryClient
    from confluent_kafka.avro.serializer.message_serializer import MessageSerializer
except ImportError as e:
    sys.exit(f"needs confluent_kafka.avro: apt install python3-confluent-kafka python3-avro python3-requests; {e}")

serializer = MessageSerializer(CachedSchemaRegistryClient({"url": sys.argv[1]}))
for line in sys.stdin:
    topic, value = line.rstrip("\n").split("\t")
    record = serializer.decode_message(base64.b64decode(value))
    place = record.get("place") or {}
    print(topic, record.get("decisionId") or "", place.get("segment", ""), len(record), sep="\t")
