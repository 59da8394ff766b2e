// The same with Nextflow. Written to its documentation, not run: nextflow run main.nf
// step.sh works in the workflow's own folder, so that what was computed stays there whatever becomes of Nextflow's work folders.
nextflow.enable.dsl = 2

process PREPARE {
    tag "${slide.name}"
    cpus { slide.threads as int }
    memory { "${slide.memory_mb} MB" }
    time { "${slide.minutes} min" }
    errorStrategy 'retry'
    maxRetries 3
    input: val slide
    output: val slide
    script: "'${projectDir}/step.sh' ${slide.name} prepare"
}

process SHARD {
    tag "${slide.name} ${shard}"
    cpus { slide.threads as int }
    memory { "${slide.memory_mb} MB" }
    time { "${slide.minutes} min" }
    errorStrategy 'retry'
    maxRetries 3
    input: tuple val(slide), val(shard)
    output: tuple val(slide.name), val(slide)
    script: "'${projectDir}/step.sh' ${slide.name} shard ${shard}"
}

process MERGE {
    tag "${slide.name}"
    memory { "${slide.memory_mb} MB" }
    time { "${slide.minutes} min" }
    errorStrategy 'retry'
    maxRetries 3
    input: val slide
    output: val slide
    script: "'${projectDir}/step.sh' ${slide.name} merge"
}

process COHORT {
    input: val slides
    script: "'${projectDir}/step.sh' - cohort"
}

workflow {
    slides = Channel.fromPath("${projectDir}/slides.tsv").splitCsv(header: true, sep: '\t')
    shards = PREPARE(slides).flatMap { slide -> (1..(slide.shards as int)).collect { [slide, it] } }
    merged = SHARD(shards).map { name, slide -> tuple(groupKey(name, slide.shards as int), slide) }.groupTuple().map { name, all -> all[0] }
    COHORT(MERGE(merged).collect())
}
