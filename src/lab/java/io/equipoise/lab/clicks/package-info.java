/**
 * Click worlds: articles, offers or items that people click or pass over. Plays policies of this
 * project and Vowpal Wabbit over the same people, without Flink and Kafka.
 *
 * <pre>
 *   ClickWorlds --> ClickWorld --rounds(seed)--> ClickRounds --play(ClickPlayer)--> ClickRun
 * </pre>
 */
@NullMarked
package io.equipoise.lab.clicks;

import org.jspecify.annotations.NullMarked;
