/**
 * The experiments of Fair-LinUCB (Tables 2 to 4, Figures 1 to 3): students from UCI Adult, videos
 * from a crawl of YouTube, or a generated population of the same shape.
 *
 * <pre>
 *   AdultFile, VideoFile | GeneratedPopulation --> Population --(seed | fixture rows)--> Classroom
 *   FairLinUcbSetting (policy, gamma, reward, arms, order) x Classroom --ClassroomRun--> RunMeasures
 *   FairLinUcbCommand: settings of the tables -> rows, checks, figures
 * </pre>
 *
 * <p>Runs policies of {@code policy.linear} outside of Flink. Does not depend on Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab.linear;

import org.jspecify.annotations.NullMarked;
